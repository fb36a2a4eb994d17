import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import { parseAllDocuments } from 'yaml'
import { kubeconfigText } from '../../cluster/src/kubeconfig.ts'

const manifests = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../manifests/cluster-api/${file}`, import.meta.url)), 'utf8')

const NAMESPACE = 'kube-system'
const ACCOUNT = 'karpenter'
const MANAGEMENT_ROLE = 'karpenter-management'

/** The manifests of the workload cluster, without what runs as a pod and without the rights of the management cluster. */
const workloadObjects = (): readonly KubeObject[] =>
  parseAllDocuments(manifests('karpenter.yaml'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object): object is KubeObject => object !== null)
    .filter(
      ({ kind, metadata }) =>
        /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind) && metadata.name !== MANAGEMENT_ROLE,
    )

const RBAC = 'rbac.authorization.k8s.io'
const UPSTREAM_ROLE = 'upstream-management'

/** What the chart of upstream's provider grants (`docs/spec/cluster-api.md#permissions`). */
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
 * Kerf's account in both clusters. In the workload cluster it has the roles of the manifests; in the management cluster those of
 * upstream's chart at first, and those of the manifest besides once they are granted. The credentials for the management cluster are
 * bound to a Secret, so that they end with it, as credentials that expire.
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

  /** @param server how the management cluster is reached. @param directory where the kubeconfigs are kept */
  static async prepare(plane: ControlPlane, server: string, directory: string): Promise<KerfAccounts> {
    const accounts = new KerfAccounts(plane, server, directory)
    const items = [...workloadObjects(), ...upstreamObjects()]
    await accounts.#apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    const token = await accounts.#kubectl('create', 'token', ACCOUNT, '-n', NAMESPACE)
    writeFileSync(accounts.workloadKubeconfig, kubeconfigText(plane, ACCOUNT, token.trim()), { mode: 0o600 })
    await accounts.renew()
    return accounts
  }

  /** Grants all that Kerf asks of the management cluster. */
  async grantAll(): Promise<void> {
    await this.#apply(manifests('management.yaml'))
  }

  /** The credentials for the management cluster are refused from now on, some ten seconds later at the latest. */
  async expire(): Promise<void> {
    await this.#kubectl('delete', 'secret', this.#secret(), '-n', NAMESPACE)
  }

  /** Writes other credentials into the kubeconfig of the management cluster, whole or not at all. */
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
    // The server looks at it. kubectl would first read the schema of every kind, which a busy server with forty of them does not
    // answer within kubectl's half minute.
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
