// Sends requests to the service. All addresses are relative to that of the page.

const root = new URL("v1/", document.baseURI);
const key = "loadstone-token";
const patience = 20000; // ms

// Problem is the error of a request. status is the HTTP status, 0 without a response.
export class Problem extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

let token = null; // used if the browser has no storage, as in some frames

function kept() {
  try {
    return sessionStorage.getItem(key) ?? token;
  } catch {
    return token;
  }
}

export const hasToken = () => kept() != null;

export function setToken(to) {
  token = to;
  try { sessionStorage.setItem(key, to); } catch {}
}

// get requests a path; empty parameters are left out. A 401 also dispatches the event
// "unauthorized" on the document.
export async function get(path, parameters = {}, signal) {
  const url = new URL(path, root);
  for (const [name, value] of Object.entries(parameters)) {
    if (value != null && value !== "") url.searchParams.set(name, value);
  }
  const headers = { Accept: "application/json" };
  if (hasToken()) headers.Authorization = "Bearer " + kept();
  const late = AbortSignal.timeout(patience);
  let response, body;
  try {
    response = await fetch(url, { headers, cache: "no-store", signal: signal ? AbortSignal.any([signal, late]) : late });
    body = await response.text();
  } catch (fault) {
    if (signal?.aborted) throw fault;
    throw new Problem(0, late.aborted ? "The service has not answered for 20 s." : "The service does not answer.");
  }
  if (response.status === 401) document.dispatchEvent(new Event("unauthorized"));
  if (!response.ok) throw new Problem(response.status, told(body, response));
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem(response.status, "The answer is not JSON. Is a proxy between this page and the service?");
  }
}

// told returns the text of problem details (RFC 9457), cut to a few lines.
function told(body, response) {
  try {
    const { title, detail } = JSON.parse(body);
    const text = detail || title;
    if (typeof text === "string") return text.slice(0, 300);
  } catch {}
  return `The service answers with status ${response.status}.`;
}

// latest returns a function like get of which only the last call counts: earlier calls are
// aborted and return undefined.
export function latest() {
  let last;
  return async (path, parameters) => {
    last?.abort();
    const own = last = new AbortController();
    try {
      const answer = await get(path, parameters, own.signal);
      return own.signal.aborted ? undefined : answer;
    } catch (fault) {
      if (own.signal.aborted) return undefined;
      throw fault;
    }
  };
}
