cd /tmp/k; LOG=/tmp/wt/shared/traces/swf/KTH-SP2-1996-2.1-cln.swf.gz; S="/tmp/ls-K serve --replay $LOG --listen 0.0.0.0:18420 --log-level debug --token-file"
t() { printf "$2" > tok; chmod ${3:-600} tok; echo "== $1"; timeout 2 $S tok 2>&1 | grep -v level= | cut -c1-300; }
t empty ''; t newline '\n'; t short 'abc\n'; t two 'aaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb\n'; t long "$(head -c 5000 /dev/zero | tr '\0' a)"; t world 'aaaaaaaaaaaaaaaaaaaaaa' 644; t group 'aaaaaaaaaaaaaaaaaaaaaaa' 640; t utf 'aaaaaaaaaaaaaaaaaaaaaaaé'
SECRET=s3cr3tTOKENs3cr3tTOKEN; echo $SECRET > tok; chmod 600 tok; $S tok > tok.out 2> tok.err & P=$!; sleep 1
c() { echo "$1: $(curl -s -o /tmp/k/body -w '%{http_code}' "${@:2}" localhost:18420/v1/status) $(grep -c $SECRET /tmp/k/body)"; }
c none; c ok -H "Authorization: Bearer $SECRET"; c lower -H "authorization: bearer $SECRET"; c basic -H "Authorization: Basic $SECRET"; c wrong -H 'Authorization: Bearer x'; c long -H "Authorization: Bearer $(head -c 12000 /dev/zero | tr '\0' a)"; c prefix -H "Authorization: Bearer ${SECRET}x"; c spaces -H "Authorization: Bearer  $SECRET"; c two -H "Authorization: Bearer x" -H "Authorization: Bearer $SECRET"; c userinfo -u "x:$SECRET"; c query -G --data "token=$SECRET"
for p in / /healthz /readyz /metrics /openapi.json /v1/scores /v1/jobs /nothing /v1/nothing; do echo "$p $(curl -s -o /dev/null -w '%{http_code}' localhost:18420$p)"; done
echo newSECRETnewSECRETnew > tok2; chmod 600 tok2; mv tok2 tok; sleep 1.2; c old -H "Authorization: Bearer $SECRET"; c new -H "Authorization: Bearer newSECRETnewSECRETnew"
chmod 644 tok; sleep 1.2; c world -H "Authorization: Bearer newSECRETnewSECRETnew"; chmod 600 tok; sleep 1.2; c again -H "Authorization: Bearer newSECRETnewSECRETnew"; rm tok; sleep 1.2; c removed -H "Authorization: Bearer newSECRETnewSECRETnew"; c removedempty -H "Authorization: Bearer "
kill $P; wait $P; echo rc $?; grep -c "SECRET\|s3cr3t" tok.err tok.out; grep -v "msg=request" tok.err | tail -4 | cut -c1-250
