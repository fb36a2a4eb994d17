/** The names of the fake account, its cluster and its keys. */
export const EMAIL = 'nodes@example.com'
export const PASSWORD = 'never-written-1'
export const PROJECT = 'project-1'
export const CLUSTER = 'cluster0123456789'
/** The token with which servers join the cluster. */
export const CLUSTER_TOKEN = 'never-written-2'
export const REGION = 'HN'
export const ZONES = ['HN1', 'HN2'] as const
export const NETWORK = '11111111-2222-4333-8444-555555555555'
export const JOIN_ENDPOINT = 'http://engine.example/cluster_join/cluster0123456789'
