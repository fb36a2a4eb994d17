import { type KubeObject, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import type { TestCluster } from '@kerf/control-plane/testing'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import { FakeAzure, type ServedAzure, serveAzure } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import { type HttpKubeClient, SystemClock } from '@kerf/runtime'
import { expect } from 'vitest'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { emptied, httpClient, installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { AzureNodes } from './azure-nodes.ts'

/** `kerf run --provider=azure` as a process, on a real control plane, with a fake Azure that serves HTTP, and its nodes. */
export class AzureProcess {
  readonly served: ServedAzure
  readonly client: HttpKubeClient
  readonly nodes: AzureNodes
  readonly until: ReturnType<typeof realUntil>
  #kerf: KerfProcess

  private constructor(served: ServedAzure, client: HttpKubeClient, kubeconfig: string) {
    this.served = served
    this.client = client
    this.#kerf = this.#start(kubeconfig)
    this.nodes = new AzureNodes(client, served.azure)
    this.nodes.start()
    this.until = realUntil(client, () => this.#kerf.output)
  }

  /** Empties the cluster, installs the CRDs, and starts Kerf and its fakes. */
  static async open(cluster: TestCluster): Promise<AzureProcess> {
    const durations = { nic: 200, creation: 2_000, deletion: 1_000 }
    const served = await serveAzure((endpoint) => new FakeAzure(new SystemClock(), { endpoint, durations }))
    const { kubeconfig } = await emptied(cluster)
    const client = httpClient(cluster)
    await installCrds(client)
    return new AzureProcess(served, client, kubeconfig)
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.client.list(karpenterKinds.NodeClaim)).items
  }

  /** Returns whether ten pods run and the VMs are exactly those of the NodeClaims. */
  async isSettled(): Promise<boolean> {
    return (await running(this.client)).length === 10 && (await this.claims()).length === this.nodes.vms().length
  }

  /** Stops Kerf as Kubernetes does, and starts it again with another kubeconfig. */
  async restart(kubeconfig: string): Promise<void> {
    await this.stop()
    this.#kerf = this.#start(kubeconfig)
  }

  /** Creates a node class, a NodePool and a Deployment. Resolves when its ten pods run. */
  async launchTenPods(): Promise<void> {
    const { client } = this
    // The API server needs a moment until it serves a new CRD.
    await this.until('the class served', async () => {
      const kindsServed = [aksNodeClassKind, karpenterKinds.NodePool, karpenterKinds.NodeClaim]
      const answers = await Promise.allSettled(kindsServed.map((kind) => client.list<KubeObject>(kind)))
      return answers.every(({ status }) => status === 'fulfilled')
    })
    await client.create(aksNodeClassKind, aksNodeClass('default', { spec: { tags: { team: 'web' } } }))
    const classRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' }
    await client.create(
      karpenterKinds.NodePool,
      spreadPool(classRef, { template: { spec: { nodeClassRef: classRef, expireAfter: 'Never', requirements: [] } } }),
    )
    await client.create(kinds.Deployment, nginx(10))
    await this.until('ten nginx pods running', () => this.isSettled())
  }

  async stop(): Promise<void> {
    expect(await this.#kerf.stop()).toBe(0)
  }

  async close(): Promise<void> {
    await this.#kerf.kill()
    await this.nodes.stop()
    await this.client.close()
    await this.served.close()
  }

  #start(kubeconfig: string): KerfProcess {
    return KerfProcess.start(kubeconfig, ['--provider=azure', '--disable-leader-election'], {
      ...this.served.env,
      SYSTEM_NAMESPACE: 'kube-system',
    })
  }
}
