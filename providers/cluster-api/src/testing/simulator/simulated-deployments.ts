import { groupVersion, type NewObject, parseTime } from '@kerf/apis'
import type { KubeClient, Random } from '@kerf/runtime'
import { clusterApiAnnotations, clusterApiLabels } from '../../names.ts'
import type { MachineSetOnWire } from '../../objects/wire.ts'
import type { SimulatedKinds } from './definitions.ts'
import { ignoringMissing } from './machine-nodes.ts'
import { planRollout, type RolloutRules, type SetCounts } from './rollout-plan.ts'
import { revisionFields, type SimulatedDeployment, type SimulatedSet, type SimulatedState } from './simulated-state.ts'

export const DISABLE_MACHINE_CREATE = 'cluster.x-k8s.io/disable-machine-create'
const SET_FINALIZER = 'cluster.x-k8s.io/machineset'
const TEMPLATE_HASH = 'machine-template-hash'
/** Annotations of a MachineDeployment that are not copied to its sets (`mdutil/util.go` of 1.14.2). */
const NOT_COPIED = [clusterApiAnnotations.revision, 'kubectl.kubernetes.io/last-applied-configuration'] as const

/** Simulates the MachineDeployment controller, one round at a time. */
export class SimulatedDeployments {
  readonly #client: KubeClient
  readonly #kinds: SimulatedKinds
  readonly #random: Random

  constructor(client: KubeClient, kinds: SimulatedKinds, random: Random) {
    this.#client = client
    this.#kinds = kinds
    this.#random = random
  }

  async look(played: SimulatedDeployment, state: SimulatedState): Promise<void> {
    const { deployment, object } = played
    if (state.isPaused(object, deployment.clusterName)) return
    const sets = state.setsOf(deployment)
    if (deployment.isDeleting) return await this.#end(played, sets)
    const template = revisionFields(object.spec?.template)
    const [newest] = sets
      .filter((each) => revisionFields(each.object.spec?.template) === template)
      .toSorted((a, b) => b.set.replicas - a.set.replicas)
    const old = sets
      .filter((each) => each !== newest)
      .toSorted(
        (a, b) =>
          (parseTime(a.object.metadata.creationTimestamp) ?? 0) - (parseTime(b.object.metadata.creationTimestamp) ?? 0),
      )
    const revision = Math.max(newest?.set.revision ?? 0, Math.max(0, ...old.map(({ set }) => set.revision ?? 0)) + 1)
    const name = newest?.set.name ?? `${deployment.name}-${this.#random.text(5)}`
    const counts = newest === undefined ? { name, replicas: 0, machines: 0, available: 0 } : countsOf(newest)
    const plan = planRollout(rulesOf(played), counts, old.map(countsOf))
    if (newest === undefined) await this.#create(played, name, plan.get(name) ?? 0, revision)
    for (const each of sets) {
      const isNewest = each === newest
      await this.#adjust(
        played,
        each,
        plan.get(each.set.name) ?? 0,
        isNewest ? revision : (each.set.revision ?? 0),
        isNewest,
      )
    }
    await this.#report(played, sets, revision)
    if (isComplete(played, sets, newest)) {
      for (const each of old.filter(isEmpty)) await this.#delete(each)
    }
  }

  async #create(played: SimulatedDeployment, name: string, replicas: number, revision: number): Promise<void> {
    const { deployment, object } = played
    const template = object.spec?.template
    const suffix = name.slice(deployment.name.length + 1)
    const own = { ...template?.metadata?.labels, [TEMPLATE_HASH]: `${parseHash(revisionFields(template))}-${suffix}` }
    const kind = this.#kinds.MachineSet
    const set = {
      apiVersion: groupVersion(kind),
      kind: kind.kind,
      metadata: {
        namespace: deployment.namespace,
        name,
        finalizers: [SET_FINALIZER],
        labels: { ...own, [clusterApiLabels.deploymentName]: deployment.name },
        annotations: annotationsOf(played, revision, true),
        ownerReferences: [
          {
            apiVersion: groupVersion(this.#kinds.MachineDeployment),
            kind: 'MachineDeployment',
            name: deployment.name,
            uid: deployment.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        clusterName: deployment.clusterName,
        replicas,
        selector: { matchLabels: own },
        template: { ...template, metadata: { ...template?.metadata, labels: own } },
        ...(object.spec?.deletion === undefined ? {} : { deletion: object.spec.deletion }),
      },
    }
    await this.#client.create(kind, set as NewObject<MachineSetOnWire>)
  }

  /** Updates replicas, annotations and fields that are changed in place. */
  async #adjust(
    played: SimulatedDeployment,
    { set, object }: SimulatedSet,
    replicas: number,
    revision: number,
    isNewest: boolean,
  ): Promise<void> {
    const annotations = annotationsOf(played, revision, isNewest)
    const gone = Object.keys(set.annotations).filter((key) => annotations[key] === undefined)
    const hash = object.metadata.labels?.[TEMPLATE_HASH] ?? ''
    const labels = { ...played.object.spec?.template?.metadata?.labels, [TEMPLATE_HASH]: hash }
    const before = object.spec?.template?.metadata?.labels ?? {}
    const isSame =
      set.replicas === replicas &&
      gone.length === 0 &&
      Object.entries(annotations).every(([key, value]) => set.annotations[key] === value) &&
      Object.entries(labels).every(([key, value]) => before[key] === value)
    if (isSame || set.isDeleting) return
    await this.#patch(this.#kinds.MachineSet, set, {
      metadata: { annotations: { ...annotations, ...Object.fromEntries(gone.map((key) => [key, null])) } },
      spec: { replicas, template: { metadata: { labels } } },
    })
  }

  async #report(
    { deployment, object }: SimulatedDeployment,
    sets: readonly SimulatedSet[],
    revision: number,
  ): Promise<void> {
    const kind = this.#kinds.MachineDeployment
    if (deployment.annotations[clusterApiAnnotations.revision] !== String(revision)) {
      const annotations = { [clusterApiAnnotations.revision]: String(revision) }
      await this.#patch(kind, deployment, { metadata: { annotations } })
    }
    const replicas = sets.reduce((sum, each) => sum + countsOf(each).machines, 0)
    const availableReplicas = sets.reduce((sum, each) => sum + countsOf(each).available, 0)
    if (object.status?.replicas === replicas && object.status.availableReplicas === availableReplicas) return
    await this.#patch(kind, deployment, { status: { replicas, availableReplicas } }, 'status')
  }

  /** Deletes the sets of a deleted MachineDeployment, and waits for them. */
  async #end({ deployment }: SimulatedDeployment, sets: readonly SimulatedSet[]): Promise<void> {
    if (sets.length === 0) {
      await this.#patch(this.#kinds.MachineDeployment, deployment, { metadata: { finalizers: null } })
    }
    for (const each of sets) await this.#delete(each)
  }

  async #delete({ set }: SimulatedSet): Promise<void> {
    if (set.isDeleting) return
    const { namespace, name } = set
    await ignoringMissing(this.#client.delete(this.#kinds.MachineSet, { namespace, name }))
  }

  async #patch(
    kind: SimulatedKinds['MachineSet'] | SimulatedKinds['MachineDeployment'],
    { namespace, name }: { readonly namespace: string; readonly name: string },
    body: object,
    subresource?: string,
  ): Promise<void> {
    const options = subresource === undefined ? {} : { subresource }
    await ignoringMissing(this.#client.patch(kind, { namespace, name }, { type: 'merge', body }, options))
  }
}

const rulesOf = ({ deployment }: SimulatedDeployment): RolloutRules => ({
  strategy: deployment.strategy === 'OnDelete' ? 'OnDelete' : 'RollingUpdate',
  replicas: deployment.replicas,
  // The defaults, which no simulated object overrides.
  maxSurge: 1,
  maxUnavailable: 0,
})

const countsOf = ({ set, object }: SimulatedSet): SetCounts => ({
  name: set.name,
  replicas: set.replicas,
  machines: object.status?.replicas ?? 0,
  available: object.status?.availableReplicas ?? 0,
})

/** Implements `DeploymentComplete` of Cluster API 1.14.2: all Machines have the newest revision, and are available. */
const isComplete = (
  { deployment }: SimulatedDeployment,
  sets: readonly SimulatedSet[],
  newest: SimulatedSet | undefined,
): boolean => {
  if (newest === undefined) return false
  const { machines, available } = countsOf(newest)
  return (
    machines === deployment.replicas &&
    available === deployment.replicas &&
    sets.reduce((sum, each) => sum + countsOf(each).machines, 0) === deployment.replicas
  )
}

const isEmpty = (each: SimulatedSet): boolean => each.set.replicas === 0 && countsOf(each).machines === 0

const annotationsOf = (
  { deployment }: SimulatedDeployment,
  revision: number,
  isNewest: boolean,
): Readonly<Record<string, string>> => {
  const copied = Object.entries(deployment.annotations).filter(([key]) => !NOT_COPIED.some((not) => not === key))
  const surge = deployment.strategy === 'OnDelete' ? 0 : 1
  return {
    ...Object.fromEntries(copied),
    [clusterApiAnnotations.revision]: String(revision),
    [DISABLE_MACHINE_CREATE]: String(!isNewest && deployment.strategy === 'OnDelete'),
    'machinedeployment.clusters.x-k8s.io/desired-replicas': String(deployment.replicas),
    'machinedeployment.clusters.x-k8s.io/max-replicas': String(deployment.replicas + surge),
  }
}

/** Returns a hash of the text. */
const parseHash = (text: string): number => {
  let hash = 0
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  return hash
}
