import { ownValue } from '@kerf/apis'
import { defineErrors, entry } from './define-errors.ts'
import { nearest } from './nearest.ts'

const PORT_FLAGS: Readonly<Record<string, string>> = { metrics: '--metrics-port', health: '--health-probe-port' }

/** Errors in settings and in the communication with the API server. */
export const runtimeErrors = defineErrors('runtime', {
  ApiServerUnreachable: entry({
    when: 'The API server did not respond: nothing listens there, the name does not resolve, or TLS failed.',
    text: (e: { server: string; cause: string }) => `cannot reach the API server ${e.server}: ${e.cause}`,
    next: 'check that the cluster is up and that KUBECONFIG (or --kubeconfig) names the right server',
    example: { server: 'https://127.0.0.1:6443', cause: 'connection refused' },
  }),
  ApiServerCertificate: entry({
    when: 'The certificate of the API server is not signed by a trusted authority, has expired, or is for another name. The trusted authorities are those of the kubeconfig, or those of the operating system if the kubeconfig has none.',
    text: (e: { server: string; cause: string }) => `the certificate of ${e.server} is not trusted: ${e.cause}`,
    next: 'set certificate-authority-data (or tls-server-name) of the cluster in the kubeconfig, or install the authority on this machine (SSL_CERT_FILE names a file of authorities)',
    example: { server: 'https://10.0.0.1:6443', cause: 'self-signed certificate in certificate chain' },
  }),
  Unauthorized: entry({
    when: 'The API server responded with 401, again after Kerf had reloaded the credentials.',
    text: (e: { server: string; origin?: string }) =>
      `the API server ${e.server} does not accept the credentials${e.origin === undefined ? '' : ` of ${e.origin}`}`,
    next: 'log in again, so that the user of the kubeconfig gets a valid token or certificate',
    example: { server: 'https://127.0.0.1:6443', origin: 'context dev of /home/ada/.kube/config' },
  }),
  NoCredentials: entry({
    when: 'The API server responded with 403 to a request without credentials, which it treats as system:anonymous.',
    text: (e: { message: string; origin: string }) => `${e.origin} has no credentials: ${e.message}`,
    next: 'log in, or use a context whose user has a token, a certificate or a credential plugin',
    example: {
      message:
        'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
      origin: 'context dev of /home/ada/.kube/config',
    },
  }),
  Forbidden: entry({
    when: 'The API server responded with 403: the user or service account lacks a permission.',
    text: (e: { message: string }) => `not allowed: ${e.message}`,
    next: 'grant the permission; the roles of the Helm chart have all that Kerf needs, and docs/reference/permissions.md lists them',
    example: {
      message: 'nodes is forbidden: User "dev" cannot list resource "nodes" in API group "" at the cluster scope',
    },
  }),
  MissingCrds: entry({
    when: 'The cluster does not serve Karpenter’s kinds.',
    text: (e: { names: readonly string[] }) => `the cluster lacks the custom resources ${e.names.join(', ')}`,
    next: 'install them with `kerf crds | kubectl apply -f -`',
    example: { names: ['nodepools.karpenter.sh', 'nodeclaims.karpenter.sh'] },
  }),
  PortInUse: entry({
    when: 'Another process listens on the port of an endpoint.',
    text: (e: { port: number; address: string; endpoint: string }) =>
      `port ${e.port} on ${e.address} for the ${e.endpoint} endpoint is already in use`,
    next: (e) => `stop the other process or choose another port with ${ownValue(PORT_FLAGS, e.endpoint) ?? '--port'}`,
    exitCode: 1,
    example: { port: 8080, address: '127.0.0.1', endpoint: 'metrics' },
  }),
  CannotListen: entry({
    when: 'The operating system does not allow Kerf to listen on the address, although it is not in use.',
    text: (e: { port: number; address: string; cause: string }) =>
      `cannot listen on ${e.address}:${e.port}: ${e.cause}`,
    next: 'use an address of this machine and a port above 1023',
    example: { port: 80, address: '127.0.0.1', cause: 'permission denied' },
  }),
  LeaseLost: entry({
    when: 'The leader could not renew its Lease in time. Another replica may be the leader now, so this one stops.',
    text: (e: { lease: string; holder?: string }) =>
      `lost the lease ${e.lease}${e.holder === undefined ? '' : ` to ${e.holder}`}`,
    next: 'nothing, if another replica took over; otherwise check the API server’s latency',
    example: { lease: 'kube-system/karpenter-leader-election', holder: 'karpenter-7d9_4f1c' },
  }),
  NoLeaseNamespace: entry({
    when: 'Leader election is enabled, but outside a cluster the namespace of the Lease is unknown.',
    text: (_none: object) => 'no namespace for the leader election lease',
    next: 'set --leader-election-namespace, or set --disable-leader-election if only one replica runs',
    exitCode: 2,
    example: {},
  }),
  KubeconfigUnreadable: entry({
    when: 'The kubeconfig file cannot be read.',
    text: (e: { file: string; cause: string }) => `cannot read kubeconfig ${e.file}: ${e.cause}`,
    next: 'check KUBECONFIG or --kubeconfig',
    exitCode: 2,
    example: { file: '/home/ada/.kube/config', cause: 'no such file' },
  }),
  KubeconfigInvalid: entry({
    when: 'The kubeconfig is not YAML, or an entry in it is missing or has the wrong type.',
    text: (e: { file: string; problem: string }) => `kubeconfig ${e.file}: ${e.problem}`,
    next: 'correct the file; `kubectl config view` shows how kubectl reads it',
    exitCode: 2,
    example: { file: '/home/ada/.kube/config', problem: 'users[0].user.token must be a string' },
  }),
  UnknownContext: entry({
    when: 'The kubeconfig does not contain the context.',
    text: (e: { file: string; context: string; known: readonly string[] }) =>
      `kubeconfig ${e.file} has no context ${JSON.stringify(e.context)}`,
    next: (e) => (e.known.length === 0 ? 'the file defines no contexts' : `available contexts: ${e.known.join(', ')}`),
    exitCode: 2,
    example: { file: '/home/ada/.kube/config', context: 'prod', known: ['dev', 'staging'] },
  }),
  NoCurrentContext: entry({
    when: 'The kubeconfig has no current-context, and no context was given.',
    text: (e: { file: string; known: readonly string[] }) => `kubeconfig ${e.file} has no current-context`,
    next: (e) =>
      e.known.length === 0
        ? 'the file defines no contexts'
        : `set one with --context or kubectl config use-context: ${e.known.join(', ')}`,
    exitCode: 2,
    example: { file: '/home/ada/.kube/config', known: ['dev', 'staging'] },
  }),
  NoCluster: entry({
    when: 'Neither a kubeconfig nor an in-cluster service account was found.',
    text: (e: { searched: readonly string[] }) => `no cluster configured (looked at ${e.searched.join(', ')})`,
    next: 'set KUBECONFIG, or run `kerf up` for a cluster of your own',
    exitCode: 2,
    example: { searched: ['$KUBECONFIG', '/home/ada/.kube/config', 'the in-cluster service account'] },
  }),
  TokenUnreadable: entry({
    when: 'The file that holds the bearer token cannot be read.',
    text: (e: { file: string; cause: string }) => `cannot read the token ${e.file}: ${e.cause}`,
    next: 'check tokenFile of the user in the kubeconfig, or the service account token mounted into the pod',
    example: { file: '/var/run/secrets/kubernetes.io/serviceaccount/token', cause: 'permission denied' },
  }),
  CredentialPlugin: entry({
    when: 'The exec plugin of the user in the kubeconfig is missing, failed, or returned no valid credential.',
    text: (e: { command: string; cause: string; hint?: string }) => `credential plugin ${e.command}: ${e.cause}`,
    next: (e) => e.hint ?? 'run the command manually to see its output',
    example: { command: 'kubelogin', cause: 'exited with code 1: the token has expired' },
  }),
  OidcRefresh: entry({
    when: 'The ID token of the user in the kubeconfig has expired, and the identity provider issued no new one.',
    text: (e: { issuer: string; cause: string }) => `no new token from the identity provider ${e.issuer}: ${e.cause}`,
    next: 'log in again to get a new refresh token',
    example: { issuer: 'https://idp.example.com', cause: 'invalid_grant: the refresh token has expired' },
  }),
  LogUnwritable: entry({
    when: 'A file of LOG_OUTPUT_PATHS or LOG_ERROR_OUTPUT_PATHS cannot be opened for writing.',
    text: (e: { path: string; cause: string }) => `cannot write the log ${e.path}: ${e.cause}`,
    next: 'set --log-output-paths to a writable file, stdout or stderr',
    exitCode: 2,
    example: { path: '/var/log/kerf.log', cause: 'permission denied' },
  }),
  InvalidSetting: entry({
    when: 'A flag or environment variable has a value that the setting does not accept.',
    text: (e: { problems: readonly string[] }) => e.problems.join('; '),
    next: 'see docs/reference/settings.md',
    exitCode: 2,
    example: { problems: ['--log-level: "loud" is none of "", debug, info, error'] },
  }),
  UnknownFlag: entry({
    when: 'The command line contains an unknown flag.',
    text: (e: { flag: string; known: readonly string[] }) => `unknown flag ${e.flag}`,
    next: (e) => {
      const near = nearest(e.flag.replace(/^-+/, ''), e.known)
      return near === undefined ? 'see docs/reference/settings.md' : `did you mean --${near}?`
    },
    exitCode: 2,
    example: { flag: '--metric-port', known: ['metrics-port', 'health-probe-port'] },
  }),
})
