/** The names of the files that the test writes next to each kubeconfig. */
export const FILES = {
  root: 'root.pem',
  intermediate: 'intermediate.pem',
  server: 'server.pem',
  client: 'client.pem',
  clientKey: 'client-key.pem',
  token: 'token',
  plugin: './plugin.sh',
} as const

/** Values that the test inserts into a kubeconfig. */
export interface Material {
  /** `https://127.0.0.1:PORT`, with a certificate of an unknown authority. */
  readonly server: string
  /** `http://127.0.0.1:PORT`. */
  readonly plainServer: string
  /** A URL with the server's port, and with a host name that only the proxies can resolve. */
  readonly farServer: string
  readonly httpProxy: string
  readonly socksProxy: string
  /** The root certificate: base64 of PEM. */
  readonly rootData: string
  readonly clientData: string
  readonly clientKeyData: string
}

/** The data that the API server received with a request. */
export interface Seen {
  readonly authorization?: string
  /** The common name of the client certificate. */
  readonly certificate?: string
  /** The impersonation headers, sorted. */
  readonly impersonation?: readonly string[]
  /** The address to which the client asked the proxy to connect. */
  readonly proxy?: string
  /** The `spec` that the credential plugin received. */
  readonly plugin?: object
}

/** One feature of kubeconfig files, and its result in both kubectl and Kerf. */
export interface Feature {
  readonly feature: string
  readonly cluster?: (material: Material) => object
  readonly user?: (material: Material) => object
  readonly context?: object
  /** Returns fields that replace those of the kubeconfig. */
  readonly file?: (material: Material) => object
  /** Returns another kubeconfig, which comes before this one in `KUBECONFIG`. */
  readonly before?: (material: Material) => object
  /** Changes the kubeconfig's text into a form that a YAML library would not write. */
  readonly encode?: (yaml: string) => string | Uint8Array
  readonly env?: (material: Material) => Readonly<Record<string, string>>
  /** The request that the server must receive. If absent, both programs must fail before the server receives a request. */
  readonly seen?: Seen
}

const TOKEN: Seen = { authorization: 'Bearer t' }
const V1 = 'client.authentication.k8s.io/v1'
const plugin = (exec: object = {}): object => ({
  exec: { apiVersion: V1, interactiveMode: 'Never', command: FILES.plugin, ...exec },
})
const told = { interactive: false }
const BY_PLUGIN: Seen = { authorization: 'Bearer plugin', plugin: told }
const far = ({ farServer }: Material): object => ({
  server: farServer,
  'certificate-authority': FILES.root,
  'tls-server-name': 'localhost',
})

export const FEATURES: readonly Feature[] = [
  { feature: '`token`', seen: TOKEN },
  {
    feature: '`tokenFile`, relative to the kubeconfig',
    user: () => ({ tokenFile: FILES.token }),
    seen: { authorization: 'Bearer from-file' },
  },
  {
    feature: '`token` and `tokenFile`: the file counts',
    user: () => ({ token: 't', tokenFile: FILES.token }),
    seen: { authorization: 'Bearer from-file' },
  },
  {
    feature: '`token` and a `tokenFile` that is missing: the token counts',
    user: () => ({ token: 't', tokenFile: 'nowhere' }),
    seen: TOKEN,
  },
  { feature: '`tokenFile` that is missing', user: () => ({ tokenFile: 'nowhere' }) },
  {
    feature: '`username` and `password`',
    user: () => ({ username: 'a', password: 'b' }),
    seen: { authorization: 'Basic YTpi' },
  },
  { feature: '`token` and `username`', user: () => ({ token: 't', username: 'a' }) },
  {
    feature: '`client-certificate` and `client-key`',
    user: () => ({ 'client-certificate': FILES.client, 'client-key': FILES.clientKey }),
    seen: { certificate: 'ada' },
  },
  {
    feature: '`client-certificate-data` and `client-key-data`',
    user: ({ clientData, clientKeyData }) => ({
      'client-certificate-data': clientData,
      'client-key-data': clientKeyData,
    }),
    seen: { certificate: 'ada' },
  },
  { feature: '`client-certificate` without a key', user: () => ({ 'client-certificate': FILES.client }) },
  {
    feature: '`client-key` without a certificate: ignored',
    user: () => ({ token: 't', 'client-key': FILES.clientKey }),
    seen: TOKEN,
  },
  {
    feature: '`as`, `as-uid`, `as-groups`, `as-user-extra`',
    user: () => ({
      token: 't',
      as: 'jane',
      'as-uid': '42',
      'as-groups': ['system:masters', 'ops'],
      'as-user-extra': { reason: ['a', 'b'], 'acme.com/Some Thing%': ['c'] },
    }),
    seen: {
      ...TOKEN,
      impersonation: [
        'impersonate-extra-acme.com%2fsome%20thing%25: c',
        'impersonate-extra-reason: a',
        'impersonate-extra-reason: b',
        'impersonate-group: ops',
        'impersonate-group: system:masters',
        'impersonate-uid: 42',
        'impersonate-user: jane',
      ],
    },
  },
  { feature: '`as-groups` without `as`', user: () => ({ token: 't', 'as-groups': ['ops'] }) },
  { feature: '`as-uid` without `as`', user: () => ({ token: 't', 'as-uid': '42' }) },
  { feature: '`exec` of `client.authentication.k8s.io/v1`', user: () => plugin(), seen: BY_PLUGIN },
  {
    feature: '`exec` of `v1beta1`, without `interactiveMode`',
    user: () => ({ exec: { apiVersion: `${V1}beta1`, command: FILES.plugin } }),
    seen: BY_PLUGIN,
  },
  { feature: '`exec` of `v1alpha1`', user: () => plugin({ apiVersion: `${V1}alpha1` }) },
  { feature: '`exec` without `apiVersion`', user: () => ({ exec: { command: FILES.plugin } }) },
  {
    feature: '`exec` of `v1` without `interactiveMode`',
    user: () => ({ exec: { apiVersion: V1, command: FILES.plugin } }),
  },
  {
    feature: '`interactiveMode: IfAvailable` without a terminal',
    user: () => plugin({ interactiveMode: 'IfAvailable' }),
    seen: BY_PLUGIN,
  },
  { feature: '`interactiveMode: Always` without a terminal', user: () => plugin({ interactiveMode: 'Always' }) },
  {
    feature: '`exec` with `args` and `env`',
    user: () => plugin({ args: ['-x', ''], env: [{ name: 'TOKEN', value: 'other' }] }),
    seen: { authorization: 'Bearer other-x', plugin: told },
  },
  {
    feature: '`exec` whose answer is of another `apiVersion`',
    user: () => plugin({ env: [{ name: 'VERSION', value: `${V1}beta1` }] }),
  },
  {
    feature: '`provideClusterInfo`, with the extension for plugins',
    user: () => plugin({ provideClusterInfo: true }),
    cluster: ({ server, rootData }) => ({
      server,
      'certificate-authority-data': rootData,
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
    }),
    seen: { authorization: 'Bearer plugin', plugin: { ...told, cluster: { config: { audience: 'x' } } } },
  },
  { feature: '`exec` and `token`: the token counts', user: () => ({ ...plugin(), token: 't' }), seen: TOKEN },
  {
    feature: '`exec` and a client certificate: the certificate counts',
    user: () => ({ ...plugin(), 'client-certificate': FILES.client, 'client-key': FILES.clientKey }),
    seen: { certificate: 'ada' },
  },
  {
    feature: '`exec` and `auth-provider`',
    user: () => ({ ...plugin(), 'auth-provider': { name: 'oidc', config: {} } }),
  },
  { feature: '`auth-provider: gcp`', user: () => ({ 'auth-provider': { name: 'gcp', config: {} } }) },
  {
    feature: '`certificate-authority-data`',
    cluster: ({ server, rootData }) => ({ server, 'certificate-authority-data': rootData }),
    seen: TOKEN,
  },
  {
    feature: 'an intermediate as authority',
    cluster: ({ server }) => ({ server, 'certificate-authority': FILES.intermediate }),
    seen: TOKEN,
  },
  {
    feature: 'the server’s own certificate as authority',
    cluster: ({ server }) => ({ server, 'certificate-authority': FILES.server }),
    seen: TOKEN,
  },
  {
    feature: 'no authority, and `SSL_CERT_FILE`',
    cluster: ({ server }) => ({ server }),
    env: () => ({ SSL_CERT_FILE: FILES.root }),
    seen: TOKEN,
  },
  { feature: 'no authority, and none of the system', cluster: ({ server }) => ({ server }) },
  {
    feature: 'an authority that is not PEM',
    cluster: ({ server }) => ({ server, 'certificate-authority-data': 'aGVsbG8=' }),
  },
  {
    feature: '`certificate-authority` that is missing',
    cluster: ({ server }) => ({ server, 'certificate-authority': 'nowhere' }),
  },
  {
    feature: '`insecure-skip-tls-verify`',
    cluster: ({ server }) => ({ server, 'insecure-skip-tls-verify': true }),
    seen: TOKEN,
  },
  {
    feature: '`insecure-skip-tls-verify` with an authority',
    cluster: ({ server }) => ({ server, 'certificate-authority': FILES.root, 'insecure-skip-tls-verify': true }),
  },
  {
    feature: '`tls-server-name` that the certificate has not',
    cluster: ({ server }) => ({ server, 'certificate-authority': FILES.root, 'tls-server-name': 'other' }),
  },
  {
    feature: '`proxy-url: http://…` and `tls-server-name`',
    cluster: (material) => ({ ...far(material), 'proxy-url': material.httpProxy }),
    seen: { ...TOKEN, proxy: 'CONNECT' },
  },
  {
    feature: '`proxy-url: socks5://…`',
    cluster: (material) => ({ ...far(material), 'proxy-url': material.socksProxy }),
    seen: { ...TOKEN, proxy: 'SOCKS5' },
  },
  {
    feature: '`proxy-url` of another scheme',
    cluster: (material) => ({ ...far(material), 'proxy-url': 'ftp://127.0.0.1:9' }),
  },
  {
    feature: '`HTTPS_PROXY`',
    cluster: far,
    env: ({ httpProxy }) => ({ HTTPS_PROXY: httpProxy }),
    seen: { ...TOKEN, proxy: 'CONNECT' },
  },
  {
    feature: '`HTTPS_PROXY` with SOCKS5',
    cluster: far,
    env: ({ socksProxy }) => ({ HTTPS_PROXY: socksProxy }),
    seen: { ...TOKEN, proxy: 'SOCKS5' },
  },
  {
    feature: '`HTTPS_PROXY` and `NO_PROXY`',
    cluster: far,
    env: ({ httpProxy }) => ({ HTTPS_PROXY: httpProxy, NO_PROXY: '.example.test' }),
  },
  {
    feature: 'plain HTTP: no credentials are sent',
    cluster: ({ plainServer }) => ({ server: plainServer }),
    user: () => plugin(),
    seen: {},
  },
  {
    feature: 'a server without a scheme: plain HTTP',
    cluster: ({ plainServer }) => ({ server: plainServer.replace('http://', '') }),
    seen: {},
  },
  {
    feature: 'two files in `KUBECONFIG`: the first one’s entries and context count',
    before: ({ server }) => ({
      'current-context': 'other',
      clusters: [{ name: 'k', cluster: { server, 'certificate-authority': FILES.root } }],
      contexts: [{ name: 'other', context: { cluster: 'k', user: 'first' } }],
      users: [{ name: 'first', user: { token: 'first' } }],
    }),
    cluster: () => ({ server: 'https://127.0.0.1:9' }),
    seen: { authorization: 'Bearer first' },
  },
  {
    feature: 'a file in `KUBECONFIG` that is missing',
    env: () => ({ KUBECONFIG: 'nowhere:config' }),
    seen: TOKEN,
  },
  {
    feature: 'the same name twice in a file',
    file: () => ({
      users: [
        { name: 'u', user: { token: 't' } },
        { name: 'u', user: {} },
      ],
    }),
  },
  { feature: 'a context of a user that is not there', context: { cluster: 'k', user: 'nobody' } },
  { feature: 'a context of a cluster that is not there', context: { cluster: 'nowhere', user: 'u' } },
  { feature: 'no `current-context`', file: () => ({ 'current-context': '' }) },
  { feature: 'a number as `token`', user: () => ({ token: 12_345 }) },
  { feature: 'UTF-16 with a byte order mark', encode: (yaml) => Buffer.from(`\ufeff${yaml}`, 'utf16le'), seen: TOKEN },
  { feature: 'UTF-8 with a byte order mark', encode: (yaml) => `\ufeff${yaml}`, seen: TOKEN },
  {
    feature: 'a key that is defined twice: the last counts',
    encode: (yaml) => `current-context: x\n${yaml}`,
    seen: TOKEN,
  },
]
