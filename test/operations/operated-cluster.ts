import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { annotations, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { type ControlPlane, findHelm, startControlPlane } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import type { HttpKubeClient } from '@kerf/runtime'
import { root } from '../../scripts/source-files.ts'
import { type ControllerParts, ControllerPod, type PodWithVariables } from '../guides/controller-pod.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { chart, documentsOf, helm } from '../install/helm.ts'
import { clusterWait } from '../story/cluster-state.ts'
import { kerfCommand } from '../story/start-kerf.ts'
import { httpClient } from '../story/story-cluster.ts'

/** Simulated nodes; the controller's pod is a process of the test, not one that the Deployment makes. */
export const VALUES = ['--set=settings.provider=kwok', '--set=replicas=0']
const DEPLOYMENT = { name: 'karpenter', namespace: 'kube-system' } as const

/** What an upgrade must leave as it is, by name: who each object is, and where its machine is. */
export interface Kept {
  readonly claims: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, string>
  readonly pods: ReadonlyMap<string, string>
}

export interface StartOptions {
  /** What the image runs; this Kerf unless given. */
  readonly start?: ControllerParts['start']
  /** The chart's own unless given. */
  readonly deployment?: { readonly name: string; readonly namespace: string }
}

const isTrue = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false

/** A real control plane with roles, Helm, and the controller's pod that its Deployment asks for. */
export class OperatedCluster {
  readonly plane: ControlPlane
  readonly client: HttpKubeClient
  readonly #directory: string
  #pods = 0

  private constructor(plane: ControlPlane) {
    this.plane = plane
    this.client = httpClient(plane)
    this.#directory = mkdtempSync(join(tmpdir(), 'kerf-operated-'))
  }

  static async open(): Promise<OperatedCluster> {
    // Between two controllers nobody sends the heartbeats of simulated nodes.
    const flags = { 'kube-controller-manager': ['--node-monitor-grace-period=1h'] }
    return new OperatedCluster(await startControlPlane({ rbac: true, flags }))
  }

  /** A terminal with the programs of the guides, against this cluster. */
  shell(): GuideShell {
    const programs = { kubectl: [this.plane.kubectlPath], helm: [findHelm() ?? 'helm'], kerf: kerfCommand }
    return new GuideShell(programs, { KUBECONFIG: this.plane.kubeconfig })
  }

  /** Installs this Kerf with simulated nodes, and starts its controller. */
  async install(): Promise<ControllerPod> {
    await this.helm('install', 'karpenter-crd', chart('karpenter-crd'))
    await this.applyKwokClass(readFileSync(join(root, 'manifests', 'kwok', 'crds.yaml'), 'utf8'))
    await this.kubectl('wait', '--for=condition=established', '--timeout=10m', 'crd', '--all')
    await this.helm('install', 'karpenter', chart('karpenter'), '--skip-crds', ...VALUES)
    return await this.startController()
  }

  async helm(...args: readonly string[]): Promise<void> {
    const { code, stderr } = await helm([...args, '--namespace', 'kube-system'], this.plane.kubeconfig)
    if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`)
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.plane.kubectl(args)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }

  /** The node class of simulated nodes, which no chart has: out of the custom resources of `manifests/kwok`. */
  async applyKwokClass(definitions: string): Promise<void> {
    const [definition] = documentsOf(definitions).filter(
      ({ metadata }) => metadata.name === 'kwoknodeclasses.karpenter.kwok.sh',
    )
    const { code, stderr } = await this.plane.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(definition))
    if (code !== 0) throw new Error(stderr)
  }

  /** A pod of the Deployment as it is now, under its account; ready when this resolves. It may wait for the Lease. */
  async startController({ start, deployment: of = DEPLOYMENT }: StartOptions = {}): Promise<ControllerPod> {
    const deployment = await this.client.get(kinds.Deployment, of)
    this.#pods += 1
    // What the Deployment's own controller makes of it.
    const pod = {
      ...deployment.spec?.template,
      metadata: { name: `${of.name}-${this.#pods}`, namespace: of.namespace },
    } as PodWithVariables
    const parts = { directory: this.#directory, machine: {}, ...(start === undefined ? {} : { start }) }
    const controller = await ControllerPod.start(pod, this.plane, parts)
    await this.until('the controller is ready', async () => {
      if (controller.hasEnded) throw new Error(`it ended: ${controller.output}`)
      return await controller.isReady()
    })
    return controller
  }

  /** Who holds the Lease; an empty text when it was released. */
  async leader(): Promise<string> {
    const leases = [
      'get',
      'leases',
      '--namespace',
      DEPLOYMENT.namespace,
      '--ignore-not-found',
      'karpenter-leader-election',
    ]
    return (await this.kubectl(...leases, '-o', 'jsonpath={.spec.holderIdentity}')).trim()
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.client.list(karpenterKinds.NodeClaim)).items
  }

  async kept(): Promise<Kept> {
    const nodes = await this.client.list(kinds.Node)
    const pods = await this.client.list(kinds.Pod, { namespace: 'default' })
    return {
      claims: new Map(
        (await this.claims()).map(({ metadata, status }) => [metadata.name, `${metadata.uid} ${status?.providerID}`]),
      ),
      nodes: new Map(
        nodes.items.map(({ metadata, spec }) => [metadata.name, `${metadata.uid} ${spec?.unschedulable ?? false}`]),
      ),
      pods: new Map(pods.items.map(({ metadata, spec }) => [metadata.name, `${metadata.uid} ${spec?.nodeName}`])),
    }
  }

  /** Names of the claims with this condition. */
  async claimsThatAre(type: string): Promise<readonly string[]> {
    return (await this.claims()).filter((claim) => isTrue(claim, type)).map(({ metadata }) => metadata.name)
  }

  /** The hash of its NodePool and the version of the hash, as each claim has them. */
  async hashes(): Promise<readonly string[]> {
    const found = (await this.claims()).map(({ metadata }) => {
      const { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: version } =
        metadata.annotations ?? {}
      return `${version} ${hash}`
    })
    return [...new Set(found)]
  }

  /** Waits for running pods of the quickstart's Deployment, and for every claim to be initialized. */
  async scaleTo(count: number): Promise<void> {
    await this.kubectl('scale', 'deployment', 'nginx', `--replicas=${count}`)
    await this.until(`${count} pods run on initialized nodes`, async () => {
      const pods = (await this.client.list(kinds.Pod, { namespace: 'default' })).items
      const running = pods.filter(
        ({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined,
      )
      const claims = await this.claims()
      return running.length === count && pods.length === count && claims.every((claim) => isTrue(claim, 'Initialized'))
    })
  }

  /** Waits as long as the cluster gets on. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return untilTrue(isSo, clusterWait(this.client, what))
  }

  async close(): Promise<void> {
    await this.client.close()
    await this.plane.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
