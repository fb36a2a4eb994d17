import { stringify } from 'yaml'

/** Returns a kubeconfig with one cluster, one user and one context, all named `kerf-sandbox`. */
export const kubeconfigText = (server: string, token: string): string => {
  const name = 'kerf-sandbox'
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  })
}
