/** `namespace/name`, or `name` for cluster-scoped kinds. Singleton controllers use `''`. */
export type Key = string
