import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { isAlreadyExists } from '@kerf/runtime'
import { type Issued, issueCertificate } from '@kerf/runtime/testing'
import { auditFlags, writesSince } from '../beside/audit.ts'
import type { Autoscaler } from '../beside/autoscaler.ts'
import { openRealCluster, type RealCluster } from '../beside/bench-cluster.ts'
import { RestartedProcess } from './autoscaler-process.ts'
import { type Gateway, openGateway } from './gateway.ts'

type TokenRequest = KubeObject & { readonly spec?: object; readonly status?: { readonly token: string } }
type ClusterRoleBinding = KubeObject & { readonly roleRef: object; readonly subjects: readonly object[] }

const core = { group: '', version: 'v1', namespaced: true } as const
const secrets: ResourceKind = { ...core, kind: 'Secret', plural: 'secrets' }
const serviceAccounts: ResourceKind<TokenRequest> = { ...core, kind: 'ServiceAccount', plural: 'serviceaccounts' }
const clusterRoleBindings: ResourceKind<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
}

/** The users that autoscalers connect as. `fresh` has no role at first. The cluster counts the writes of `leader`. */
const USERS = ['worker', 'fresh', 'leader', 'other'] as const

interface KubeconfigInput {
  readonly server?: string
  readonly user: object
}

/** A real control plane that enforces roles, with the functions that the disturbances need. */
export class DisturbedCluster {
  readonly cluster: RealCluster
  readonly gateway: Gateway
  readonly authority: Issued
  readonly directory: string
  readonly #running: RestartedProcess[] = []
  #files = 0
  #pods = 0

  private constructor(cluster: RealCluster, gateway: Gateway, authority: Issued, directory: string) {
    this.cluster = cluster
    this.gateway = gateway
    this.authority = authority
    this.directory = directory
  }

  static async open(): Promise<DisturbedCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'kerf-recovery-'))
    const authority = issueCertificate('recovery')
    writeFileSync(join(directory, 'clients.crt'), authority.cert)
    const flags = [
      ...auditFlags('leader', directory, join(directory, 'audit.log')),
      `--client-ca-file=${join(directory, 'clients.crt')}`,
    ]
    const cluster = await openRealCluster(
      { podMix: 'plain', capacityTypes: 'on-demand' },
      {
        rbac: true,
        users: USERS.map((name) => ({ name, groups: name === 'fresh' ? [] : ['system:masters'] })),
        flags: { 'kube-apiserver': flags },
      },
    )
    const { server } = fileConnection(cluster.kubeconfig)
    return new DisturbedCluster(cluster, await openGateway(Number(new URL(server).port)), authority, directory)
  }

  /** Returns a kubeconfig for this cluster with another user or address. */
  kubeconfig({ server, user }: KubeconfigInput): string {
    const file = join(this.directory, `kubeconfig-${++this.#files}`)
    const { server: direct, ca } = fileConnection(this.cluster.kubeconfig)
    const cluster = { server: server ?? direct, 'certificate-authority-data': ca }
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    )
    return file
  }

  /** Returns the token of one of `USERS`. */
  tokenOf(user: string): string {
    return tokenIn(this.cluster.kubeconfigOf(user))
  }

  /** Grants a user all permissions. */
  async grant(user: string): Promise<void> {
    await this.cluster.client.create(clusterRoleBindings, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: user.replaceAll(':', '-') },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    })
  }

  /**
   * Returns a token of a service account that has all permissions. The token is bound to a Secret. It is valid until `end` is called, which
   * deletes the Secret.
   */
  async boundToken(name: string): Promise<{ readonly token: string; end(): Promise<void> }> {
    const { client } = this.cluster
    const namespace = 'default'
    const account = 'system:serviceaccount:default:default'
    await this.grant(account).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
    const secret = await client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } })
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name, uid: secret.metadata.uid }
    const review: TokenRequest = await client.create(
      serviceAccounts,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: 'default', namespace },
        spec: { boundObjectRef },
      },
      { subresource: 'token' },
    )
    return { token: review.status?.token ?? '', end: () => client.delete(secrets, { namespace, name }) }
  }

  start(autoscaler: Autoscaler, kubeconfig: string, settings: Readonly<Record<string, string>> = {}): RestartedProcess {
    const process = new RestartedProcess(
      autoscaler,
      {
        KUBECONFIG: kubeconfig,
        INSTANCE_TYPES_FILE_PATH: this.cluster.catalogueFile,
        DISABLE_LEADER_ELECTION: 'true',
        ...settings,
      },
      join(this.directory, `${autoscaler.name}.log`),
    )
    this.#running.push(process)
    return process
  }

  /**
   * Creates a pod that needs a whole node. The returned function waits for the pod's NodeClaim, and resolves to the seconds since the pod
   * was created, or to undefined after `limit` seconds.
   */
  async pod(limit: number): Promise<() => Promise<number | undefined>> {
    const { client } = this.cluster
    const known = new Set((await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.uid))
    const name = `probe-${++this.#pods}`
    const resources = { requests: { cpu: '9' } }
    await client.create(kinds.Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'none', resources }] },
    })
    const began = performance.now()
    return async () => {
      while (performance.now() - began < limit * 1_000) {
        const { items } = await client.list(karpenterKinds.NodeClaim)
        if (items.some(({ metadata }) => !known.has(metadata.uid))) return (performance.now() - began) / 1_000
        await setTimeout(200)
      }
      return undefined
    }
  }

  /** Returns how many requests of the user `leader` have changed objects since the given time. */
  writesOfLeader(since: number): number {
    const writes = writesSince(join(this.directory, 'audit.log'), since)
    return Object.values(writes).reduce((sum, count) => sum + count, 0)
  }

  async close(): Promise<void> {
    for (const process of this.#running.splice(0)) await process.stop()
    await this.gateway.close()
    await this.cluster.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

interface WrittenKubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string }
  }[]
  readonly users: readonly { readonly user: { readonly token: string } }[]
}

const read = (file: string): WrittenKubeconfig => JSON.parse(readFileSync(file, 'utf8')) as WrittenKubeconfig

const fileConnection = (file: string): { readonly server: string; readonly ca: string } => {
  const [first] = read(file).clusters
  if (first === undefined) throw new Error(`no cluster in ${file}`)
  return { server: first.cluster.server, ca: first.cluster['certificate-authority-data'] }
}

const tokenIn = (file: string): string => read(file).users[0]?.user.token ?? ''
