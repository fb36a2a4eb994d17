import type { ClusterAccess } from './access.ts'

/** Returns a kubeconfig as JSON, which is also valid YAML. */
export const kubeconfigText = (access: ClusterAccess, user: string, token: string): string =>
  JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kerf',
      clusters: [
        {
          name: 'kerf',
          cluster: {
            server: access.server,
            'certificate-authority-data': Buffer.from(access.ca).toString('base64'),
          },
        },
      ],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: 'kerf', context: { cluster: 'kerf', user, namespace: 'default' } }],
    },
    undefined,
    2,
  )
