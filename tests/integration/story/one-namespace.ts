import { request } from 'node:https'
import { networkInterfaces } from 'node:os'
import { type ControlPlane, freePort, startControlPlane } from '@kerf/control-plane'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import type { Wait } from '@kerf/control-plane/progress'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { KerfProcess } from './kerf-process.ts'

/** A name that all objects in the other namespace contain. */
export const HIDDEN = 'kr1pt0n'

/** Returns a pod that requests one CPU. */
export const pod = (namespace: string, name: string, nodeSelector: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...more },
  spec: { nodeSelector, containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } }] },
})

const namespace = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
})

export const binding = (name: string, role: object, subject: string, space?: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: space === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name, ...(space === undefined ? {} : { namespace: space }) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...role },
  subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'team-a' }],
})

export const account = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'team-a' },
})

const objects = (address: string, port: number): readonly object[] => [
  namespace('team-a'),
  namespace('karpenter'),
  namespace(`${HIDDEN}-team`, { [`${HIDDEN}.example.com/owner`]: HIDDEN }),
  account('dev'),
  account('scraper'),
  // The user has the permissions of docs/dashboard.md: access to one namespace, and to the port.
  binding('dev', { kind: 'ClusterRole', name: 'view' }, 'dev', 'team-a'),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'karpenter-answers', namespace: 'karpenter' },
    rules: [{ apiGroups: [''], resources: ['services/proxy'], resourceNames: ['karpenter:8080'], verbs: ['get'] }],
  },
  binding('dev-answers', { kind: 'Role', name: 'karpenter-answers' }, 'dev', 'karpenter'),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'karpenter-view' },
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['karpenter.sh'], resources: ['nodepools', 'nodeclaims'], verbs: ['get', 'list', 'watch'] },
    ],
  },
  binding('dev-view', { kind: 'ClusterRole', name: 'karpenter-view' }, 'dev'),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'karpenter-metrics-reader' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  },
  binding('scraper', { kind: 'ClusterRole', name: 'karpenter-metrics-reader' }, 'scraper'),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'karpenter', namespace: 'karpenter', labels: { 'app.kubernetes.io/name': 'karpenter' } },
    spec: { ports: [{ name: 'http-metrics', port: 8080 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'karpenter', namespace: 'karpenter' },
    subsets: [
      {
        // The API server proxies only to pods, and checks that the pod has the address.
        addresses: [{ ip: address, targetRef: { kind: 'Pod', namespace: 'karpenter', name: 'karpenter-0' } }],
        ports: [{ name: 'http-metrics', port }],
      },
    ],
  },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'host' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'karpenter-0', namespace: 'karpenter' },
    spec: { nodeName: 'host', containers: [{ name: 'controller', image: 'kerf' }] },
  },
  { apiVersion: 'karpenter.kwok.sh/v1alpha1', kind: 'KWOKNodeClass', metadata: { name: 'default' }, spec: {} },
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'general' },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        },
      },
    },
  },
  pod('team-a', 'mine', { disk: 'nvme' }),
  pod(`${HIDDEN}-team`, `${HIDDEN}-pod`, { [`${HIDDEN}.example.com/tenant`]: HIDDEN }, { labels: { app: HIDDEN } }),
  pod(`${HIDDEN}-team`, `${HIDDEN}-zone`, { 'topology.kubernetes.io/zone': `${HIDDEN}-zone` }),
]

/** Returns an address that is not loopback, because the API server neither proxies to loopback nor accepts it as an endpoint. */
const ownAddress = (): string => {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((each) => each !== undefined && each.family === 'IPv4' && !each.internal)
  if (found === undefined)
    throw new Error('this machine has no IPv4 address besides loopback for the API server to proxy to')
  return found.address
}

export interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * A real control plane with RBAC, Kerf behind a Service, a user with permissions on one namespace, and a second namespace. Only
 * clients with permission to scrape get metrics.
 */
export class OneNamespace {
  readonly plane: ControlPlane
  /** The direct address of Kerf's metrics port, without the API server. */
  readonly direct: string
  readonly #kerf: KerfProcess

  private constructor(plane: ControlPlane, direct: string, kerf: KerfProcess) {
    this.plane = plane
    this.direct = direct
    this.#kerf = kerf
  }

  static async start(): Promise<OneNamespace> {
    const address = ownAddress()
    const port = await freePort()
    const plane = await startControlPlane({ rbac: true })
    const kubectl = async (args: readonly string[], input?: string): Promise<void> => {
      const { code, stderr } = await plane.kubectl(args, input)
      if (code !== 0) throw new Error(stderr)
    }
    const apply = (input: string): Promise<void> => kubectl(['apply', '--server-side', '-f', '-'], input)
    const crds = allCrdFiles().map(({ yaml }) => yaml)
    await apply(crds.join('\n---\n'))
    await untilCrdsEstablished(kubectl)
    await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects(address, port) }))
    const status = JSON.stringify({ status: { phase: 'Running', podIP: address, podIPs: [{ ip: address }] } })
    await kubectl([
      'patch',
      'pod',
      'karpenter-0',
      '-n',
      'karpenter',
      '--subresource=status',
      '--type=merge',
      `-p=${status}`,
    ])
    const kerf = KerfProcess.start(
      plane.kubeconfig,
      ['--provider=kwok', `--bind-address=${address}`, `--metrics-port=${port}`, '--metrics-authorization'],
      { DISABLE_LEADER_ELECTION: 'true' },
    )
    return new OneNamespace(plane, `http://${address}:${port}`, kerf)
  }

  /** Returns a wait for an action of Kerf. Log output counts as progress. */
  wait(what: string): Wait {
    const output = (): string => this.#kerf.output
    return { what, fingerprint: () => String(output().length), state: () => output().slice(-3_000) }
  }

  async token(name: string): Promise<string> {
    const { code, stdout, stderr } = await this.plane.kubectl(['create', 'token', name, '-n', 'team-a'])
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }

  /** Applies further manifests as administrator. */
  async apply(items: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
    const { code, stderr } = await this.plane.kubectl(['apply', '--server-side', '-f', '-'], list)
    if (code !== 0) throw new Error(stderr)
  }

  /** Returns the response of the API server to a request with the token. */
  get(token: string, path: string): Promise<Answered> {
    const { server, ca } = this.plane
    return new Promise((resolve, reject) => {
      request(`${server}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
        .on('error', reject)
        .end()
    })
  }

  async stop(): Promise<void> {
    await this.#kerf.stop()
    await this.plane.stop()
  }
}
