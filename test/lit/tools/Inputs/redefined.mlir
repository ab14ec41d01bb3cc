normalform.form @canonical summary "not what it was" {
  normalform.procedure "cse"
}
