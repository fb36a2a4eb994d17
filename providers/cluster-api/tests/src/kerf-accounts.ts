import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeObject } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import { parseAllDocuments } from 'yaml'
import { manifestsFor } from '../../../../tests/integration/install/released.ts'
import { kubeconfigText } from '../../../../tests/support/control-plane/src/kubeconfig.ts'

const NAMESPACE = 'kube-system'
const ACCOUNT = 'karpenter'
const MANAGEMENT_ROLE = 'karpenter-management'

/** Returns the manifests of the workload cluster without the pods and without the permissions of the management cluster. */
const workloadObjects = (): readonly KubeObject[] =>
  parseAllDocuments(manifestsFor('cluster-api').karpenter)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object): object is KubeObject => object !== null)
    .filter(
      ({ kind, metadata }) =>
        /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind) && metadata.name !== MANAGEMENT_ROLE,
    )

const RBAC = 'rbac.authorization.k8s.io'
const UPSTREAM_ROLE = 'upstream-management'

/** Returns the permissions that the chart of upstream's provider grants (`providers/cluster-api/docs/spec/cluster-api.md#permissions`). */
const upstreamObjects = (): readonly object[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: NAMESPACE } },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: UPSTREAM_ROLE },
    rules: [
      {
        apiGroups: ['cluster.x-k8s.io'],
        resources: ['machinedeployments', 'machines'],
        verbs: ['get', 'list', 'watch', 'update'],
      },
    ],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: UPSTREAM_ROLE },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: UPSTREAM_ROLE },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: NAMESPACE }],
  },
]

/**
 * The account of Kerf in both clusters. In the workload cluster it has the roles of the manifests. In the management cluster it first has
 * the roles of upstream's chart, and after `grantAll` also those of the manifest. The credentials for the management cluster are bound to a
 * Secret, so deleting the Secret makes them expire.
 */
export class KerfAccounts {
  readonly workloadKubeconfig: string
  readonly managementKubeconfig: string
  readonly #plane: ControlPlane
  readonly #server: string
  #tokens = 0

  private constructor(plane: ControlPlane, server: string, directory: string) {
    this.#plane = plane
    this.#server = server
    this.workloadKubeconfig = join(directory, 'kerf-workload.kubeconfig')
    this.managementKubeconfig = join(directory, 'kerf-management.kubeconfig')
  }

  /** @param server the URL of the management cluster. @param directory where the kubeconfigs are stored */
  static async prepare(plane: ControlPlane, server: string, directory: string): Promise<KerfAccounts> {
    const accounts = new KerfAccounts(plane, server, directory)
    const items = [...workloadObjects(), ...upstreamObjects()]
    await accounts.#apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    const token = await accounts.#kubectl('create', 'token', ACCOUNT, '-n', NAMESPACE)
    writeFileSync(accounts.workloadKubeconfig, kubeconfigText(plane, ACCOUNT, token.trim()), { mode: 0o600 })
    await accounts.renew()
    return accounts
  }

  /** Grants all permissions that Kerf requests in the management cluster. */
  async grantAll(): Promise<void> {
    await this.#apply(manifestsFor('cluster-api').management ?? '')
  }

  /** Makes the credentials for the management cluster expire. The server refuses them after at most about ten seconds. */
  async expire(): Promise<void> {
    await this.#kubectl('delete', 'secret', this.#secret(), '-n', NAMESPACE)
  }

  /** Writes new credentials into the kubeconfig of the management cluster atomically. */
  async renew(): Promise<void> {
    this.#tokens += 1
    await this.#kubectl('create', 'secret', 'generic', this.#secret(), '-n', NAMESPACE)
    const bound = ['--bound-object-kind=Secret', `--bound-object-name=${this.#secret()}`]
    const token = await this.#kubectl('create', 'token', ACCOUNT, '-n', NAMESPACE, ...bound)
    const text = kubeconfigText({ ...this.#plane, server: this.#server }, ACCOUNT, token.trim())
    writeFileSync(`${this.managementKubeconfig}.new`, text, { mode: 0o600 })
    renameSync(`${this.managementKubeconfig}.new`, this.managementKubeconfig)
  }

  #secret(): string {
    return `kerf-management-${this.#tokens}`
  }

  async #apply(text: string): Promise<void> {
    // Only the server validates. kubectl would first read the schema of all forty kinds, which a busy server does not return within
    // kubectl's timeout of half a minute.
    await this.#run(['apply', '--server-side', '--force-conflicts', '--validate=false', '-f', '-'], text)
  }

  async #kubectl(...args: readonly string[]): Promise<string> {
    return await this.#run(args)
  }

  async #run(args: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.#plane.kubectl(args, input)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }
}
