import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { annotations, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { type ControlPlane, findHelm, startControlPlane } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import type { HttpKubeClient } from '@kerf/runtime'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { ControllerPod, type ControllerPodOptions, type PodWithVariables } from '../guides/controller-pod.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { chart, helm, parseDocuments } from '../install/helm.ts'
import { clusterWait } from '../story/cluster-state.ts'
import { kerfCommand } from '../story/start-kerf.ts'
import { httpClient } from '../story/story-cluster.ts'

/** Nodes are simulated. The Deployment has no pods, because the controller's pod is a process of the test. */
export const VALUES = ['--set=settings.provider=kwok', '--set=replicas=0']
const DEPLOYMENT = { name: 'karpenter', namespace: 'kube-system' } as const

/** The values that an upgrade must not change: the UID of each object and the ID of its instance, by the object's name. */
export interface Kept {
  readonly claims: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<string, string>
  readonly pods: ReadonlyMap<string, string>
}

export interface StartOptions {
  /** Starts the program of the image. By default, this is the Kerf of this checkout. */
  readonly start?: ControllerPodOptions['start']
  /** The Deployment whose pod starts. The default is the Deployment of Kerf's chart. */
  readonly deployment?: { readonly name: string; readonly namespace: string }
}

/** Returns the output of `kerf crds`. */
export const allDefinitions = (): string =>
  allCrdFiles()
    .map(({ yaml }) => yaml)
    .join('---\n')

const isTrue = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false

/** A real control plane with roles, Helm, and the controller's pod as a process. */
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
    // While no controller runs, nothing sends heartbeats of the simulated nodes, so the grace period must be long.
    const flags = { 'kube-controller-manager': ['--node-monitor-grace-period=1h'] }
    return new OperatedCluster(await startControlPlane({ rbac: true, flags }))
  }

  /** Returns a terminal that has the programs that the guides use, for this cluster. */
  shell(): GuideShell {
    const programs = { kubectl: [this.plane.kubectlPath], helm: [findHelm() ?? 'helm'], kerf: kerfCommand }
    return new GuideShell(programs, { KUBECONFIG: this.plane.kubeconfig })
  }

  /** Installs this Kerf with simulated nodes, and starts its controller. */
  async install(): Promise<ControllerPod> {
    await this.helm('install', 'karpenter-crd', chart('karpenter-crd'))
    await this.applyKwokClass(allDefinitions())
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

  /** Installs the node class of simulated nodes from these definitions. No chart contains it. */
  async applyKwokClass(definitions: string): Promise<void> {
    const [definition] = parseDocuments(definitions).filter(
      ({ metadata }) => metadata.name === 'kwoknodeclasses.karpenter.kwok.sh',
    )
    const { code, stderr } = await this.plane.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(definition))
    if (code !== 0) throw new Error(stderr)
  }

  /**
   * Starts a pod of the current Deployment, with its service account. Resolves when the pod is ready. It may still be waiting for the
   * Lease.
   */
  async startController({ start, deployment: of = DEPLOYMENT }: StartOptions = {}): Promise<ControllerPod> {
    const deployment = await this.client.get(kinds.Deployment, of)
    this.#pods += 1
    // The pod as the Deployment controller would create it.
    const pod = {
      ...deployment.spec?.template,
      metadata: { name: `${of.name}-${this.#pods}`, namespace: of.namespace },
    } as PodWithVariables
    const options = { directory: this.#directory, machine: {}, ...(start === undefined ? {} : { start }) }
    const controller = await ControllerPod.start(pod, this.plane, options)
    await this.until('the controller is ready', async () => {
      if (controller.hasEnded) throw new Error(`it ended: ${controller.output}`)
      return await controller.isReady()
    })
    return controller
  }

  /** Returns the holder of the Lease, or an empty string if it was released. */
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

  /** Returns the names of the NodeClaims for which this condition is true. */
  async claimsThatAre(type: string): Promise<readonly string[]> {
    return (await this.claims()).filter((claim) => isTrue(claim, type)).map(({ metadata }) => metadata.name)
  }

  /** Returns the distinct NodePool hashes of all NodeClaims, each with its hash version. */
  async hashes(): Promise<readonly string[]> {
    const found = (await this.claims()).map(({ metadata }) => {
      const { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: version } =
        metadata.annotations ?? {}
      return `${version} ${hash}`
    })
    return [...new Set(found)]
  }

  /** Scales the quickstart's Deployment. Waits until its pods run and every NodeClaim is initialized. */
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

  /** Waits as long as the cluster makes progress. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return untilTrue(isSo, clusterWait(this.client, what))
  }

  async close(): Promise<void> {
    await this.client.close()
    await this.plane.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
