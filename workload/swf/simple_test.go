package swf_test
