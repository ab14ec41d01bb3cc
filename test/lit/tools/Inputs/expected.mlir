// expected-error @below {{requires a declared form but has @canonica}}
// expected-note @below {{did you mean @canonical?}}
normalform.form @mine summary "misspelt" refines [@canonica] {}
