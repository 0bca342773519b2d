//go:build long

package runtime

func init() {
	kernelLogs = append(kernelLogs, "CTC-SP2-1996.simulated-waits", "SDSC-Par-1996-3.1-cln", "SDSC-SP2-1998.simulated-waits",
		"UniLu-Gaia-2014-1", "NASA-iPSC-1993-3.1-cln", "LLNL-Thunder-2007-1.1-cln", "METACENTRUM-wagap-2013.21-fields", "LCG-2005-1", "RICC-2010-2", "ANL-Theta-2023.crlf-unsorted")
}
