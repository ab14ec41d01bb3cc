// A form with a predicate of the tool's own.
normalform.form @counting.short summary "every function is short"
    where "short-functions" {
}
