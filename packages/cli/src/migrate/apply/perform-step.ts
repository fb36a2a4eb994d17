import { isActive, type KubeObject, kinds, type Node, type Pod, parseDuration, parseTime } from '@kerf/apis'
import { CliError } from '@kerf/provider-kit/command-line'
import { asNumber, isLoose, looseAt } from '@kerf/provider-kit/documents'
import { ApiError, type Clock, isNotFound, type KubeClient, sleep } from '@kerf/runtime'
import type { KindDirectory } from '../../manifests/kind-directory.ts'
import { parseManifests } from '../../manifests/parse-manifests.ts'
import type { MigrationPlan, ObjectRef, PlanGroup, PlanStep } from '../plan/migration-plan.ts'
import { nameOfRef } from '../plan/plan-page.ts'
import { patchBack } from './merge-patch-back.ts'
import type { StepRecord } from './migration-record.ts'

/** The collaborators that a step needs. */
export interface StepTools {
  readonly client: KubeClient
  readonly clock: Clock
  readonly kinds: KindDirectory
  readonly plan: MigrationPlan
  /** Returns the text of the file with this name in the migration folder. */
  readonly file: (name: string) => string
  readonly print: (line: string) => void
  /** Asks the user to run commands that `kerf` cannot run. Rejects if the user does not confirm. */
  readonly byHand: (commands: readonly string[]) => Promise<void>
  readonly signal: AbortSignal
}

const FIELD_MANAGER = 'kerf-migrate'
const LOOK_AGAIN = 5_000

const refOf = ({ name, namespace }: ObjectRef) => (namespace === undefined ? { name } : { name, namespace })

const kindOf = async (
  { kinds: directory }: StepTools,
  { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>,
) => {
  const found = await directory.find(apiVersion, kind)
  if (found === undefined)
    throw new CliError(
      `the cluster has no kind ${kind} in ${apiVersion}; install Kerf's CRDs first: kerf crds | kubectl apply --server-side -f -`,
    )
  return found
}

const read = async (tools: StepTools, object: ObjectRef): Promise<KubeObject | undefined> =>
  await tools.client.get(await kindOf(tools, object), refOf(object)).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })

/**
 * Polls until `what` returns undefined. After the duration `within`, throws an error with the condition that `what` last returned.
 */
const waitUntil = async (tools: StepTools, within: string, what: () => Promise<string | undefined>): Promise<void> => {
  const end = tools.clock.now() + parseDuration(within)
  for (;;) {
    const missing = await what()
    if (missing === undefined) return
    if (tools.clock.now() >= end)
      throw new CliError(`${missing}, after ${within}; correct it and run the same command again; it continues here`)
    await sleep(tools.clock, LOOK_AGAIN, tools.signal)
  }
}

const groupNamed = ({ plan }: StepTools, name: string): PlanGroup => {
  const found = plan.groups.find((group) => group.name === name)
  if (found === undefined)
    throw new CliError(`plan.yaml names the node group ${name} in a step and does not describe it`)
  return found
}

const nodesOf = async (tools: StepTools, name: string): Promise<readonly Node[]> => {
  const { nodeLabels } = groupNamed(tools, name)
  const labelSelector = Object.entries(nodeLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  // An empty selector would select every node.
  if (labelSelector === '') return []
  return (await tools.client.list(kinds.Node, { labelSelector })).items.filter(
    ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === undefined,
  )
}

const isMovable = (pod: Pod): boolean =>
  isActive(pod) &&
  pod.metadata.annotations?.['kubernetes.io/config.mirror'] === undefined &&
  !(pod.metadata.ownerReferences ?? []).some(({ kind, controller }) => kind === 'DaemonSet' && controller === true)

const evict = async (tools: StepTools, pod: Pod): Promise<void> => {
  const ref = { name: pod.metadata.name, namespace: pod.metadata.namespace ?? 'default' }
  await tools.client.evict(ref).catch((error: unknown) => {
    // Ignore the error if a PodDisruptionBudget refuses the eviction for now, or if the pod no longer exists.
    if (isNotFound(error) || (error instanceof ApiError && error.code === 429)) return
    throw error
  })
}

const drain = async (tools: StepTools, group: string, within: string): Promise<void> => {
  await waitUntil(tools, within, async () => {
    const names = new Set((await nodesOf(tools, group)).map(({ metadata }) => metadata.name))
    if (names.size === 0) return undefined
    const pods = (await tools.client.list(kinds.Pod)).items.filter(
      (pod) => names.has(pod.spec.nodeName ?? '') && isMovable(pod),
    )
    for (const pod of pods) if (pod.metadata.deletionTimestamp === undefined) await evict(tools, pod)
    const [first] = pods
    return first === undefined
      ? undefined
      : `${pods.length} pods are still on the nodes of ${group}, among them ${first.metadata.namespace}/${first.metadata.name}`
  })
}

/** Long enough for Cluster Autoscaler to notice which pods have been deleted, in milliseconds. */
const A_FEW_LOOPS = 60_000
const SCALE_DOWN = /^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/

const givenBack = async (tools: StepTools, within: string): Promise<void> => {
  await sleep(tools.clock, A_FEW_LOOPS, tools.signal)
  await waitUntil(tools, within, async () => {
    for (const { name, min } of tools.plan.groups) {
      const nodes = await nodesOf(tools, name)
      const unneeded = nodes.filter(({ spec }) => spec?.taints?.some(({ key }) => SCALE_DOWN.test(key)) === true)
      if (unneeded.length > 0 && nodes.length > min)
        return `${unneeded.length} nodes of ${name} are unneeded but not removed yet`
    }
    return undefined
  })
}

const isRolledOut = (object: KubeObject | undefined): boolean => {
  const status = (key: string): number => asNumber(looseAt(object, 'status', key)) ?? 0
  const replicas = asNumber(looseAt(object, 'spec', 'replicas')) ?? 1
  if (status('observedGeneration') < (object?.metadata.generation ?? 0)) return false
  return status('updatedReplicas') >= replicas && status('readyReplicas') >= replicas && status('replicas') === replicas
}

const applyObjects = async (tools: StepTools, objects: readonly KubeObject[]): Promise<void> => {
  for (const object of objects) {
    const kind = await kindOf(tools, object)
    const { name, namespace } = object.metadata
    await tools.client.patch(
      kind,
      namespace === undefined ? { name } : { name, namespace },
      { type: 'apply', body: object, force: true },
      { fieldManager: FIELD_MANAGER },
    )
  }
}

/**
 * Returns the values that the step will change. Returns undefined if the step changes nothing that can be restored. Call it before
 * the step.
 */
export const recordStep = async (tools: StepTools, step: PlanStep, index: number): Promise<StepRecord | undefined> => {
  switch (step.do) {
    case 'patch': {
      const before = await read(tools, step.object)
      if (before === undefined)
        throw new CliError(`${nameOfRef(step.object)} no longer exists; run kerf migrate cas again`)
      return { step: index, kind: 'patched', object: step.object, back: patchBack(before, step.patch) }
    }
    case 'apply': {
      const objects: { object: ObjectRef; before?: KubeObject }[] = []
      for (const { object } of parseManifests(tools.file(step.file), step.file)) {
        const { name, namespace } = object.metadata
        const ref: ObjectRef = {
          apiVersion: object.apiVersion,
          kind: object.kind,
          name,
          ...(namespace === undefined ? {} : { namespace }),
        }
        const before = await read(tools, ref)
        objects.push(before === undefined ? { object: ref } : { object: ref, before: withoutServerFields(before) })
      }
      return { step: index, kind: 'applied', objects }
    }
    case 'cordon': {
      const nodes = (await nodesOf(tools, step.group)).filter(({ spec }) => spec?.unschedulable !== true)
      return { step: index, kind: 'cordoned', nodes: nodes.map(({ metadata }) => metadata.name) }
    }
    default:
      return undefined
  }
}

const withoutServerFields = (object: KubeObject): KubeObject => {
  const { status: _, ...rest } = object as KubeObject & { readonly status?: unknown }
  const { name, namespace, labels, annotations } = object.metadata
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  } as KubeObject
}

/** Performs a step. Repeating a step is safe. */
export const performStep = async (tools: StepTools, step: PlanStep): Promise<void> => {
  switch (step.do) {
    case 'apply':
      return await applyObjects(
        tools,
        parseManifests(tools.file(step.file), step.file).map(({ object }) => object),
      )
    case 'patch':
      await tools.client.patch(
        await kindOf(tools, step.object),
        refOf(step.object),
        { type: 'merge', body: step.patch },
        { fieldManager: FIELD_MANAGER },
      )
      return
    case 'roll out':
      return await waitUntil(tools, step.within, async () =>
        isRolledOut(await read(tools, step.object)) ? undefined : `${nameOfRef(step.object)} has not rolled out`,
      )
    case 'cordon':
      for (const { metadata } of await nodesOf(tools, step.group)) await setUnschedulable(tools, metadata.name, true)
      return
    case 'drain':
      return await drain(tools, step.group, step.within)
    case 'wait until gone': {
      const { min } = groupNamed(tools, step.group)
      return await waitUntil(tools, step.within, async () => {
        const { length } = await nodesOf(tools, step.group)
        return length === 0
          ? undefined
          : `${step.group} still has ${length} nodes${min > 0 ? ` (its minimum was ${min}: set it to 0)` : ''}`
      })
    }
    case 'wait until given back':
      return await givenBack(tools, step.within)
    case 'wait until calm':
      return await waitUntil(tools, step.within, async () => {
        const limit = tools.clock.now() - parseDuration(step.pendingFor)
        const pending = (await tools.client.list(kinds.Pod)).items.filter(
          ({ metadata, spec, status }) =>
            (spec.nodeName ?? '') === '' &&
            status?.phase === 'Pending' &&
            (spec.schedulingGates ?? []).length === 0 &&
            (parseTime(metadata.creationTimestamp) ?? Number.POSITIVE_INFINITY) < limit,
        )
        const [first] = pending
        return first === undefined
          ? undefined
          : `${pending.length} pods are pending for over ${step.pendingFor}, among them ${first.metadata.namespace}/${first.metadata.name}`
      })
    case 'by hand':
      return await tools.byHand(step.commands)
  }
}

const setUnschedulable = async (tools: StepTools, name: string, unschedulable: boolean): Promise<void> => {
  const body = { spec: { unschedulable: unschedulable ? true : null } }
  await tools.client
    .patch(kinds.Node, { name }, { type: 'merge', body }, { fieldManager: FIELD_MANAGER })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
}

/**
 * Returns the patch without the rollout strategy. `undoStrategy` restores the strategy after the rollout, so that the rollout
 * respects the workload's PodDisruptionBudget.
 */
const withoutStrategy = (back: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const spec = looseAt(back, 'spec')
  if (!isLoose(spec) || spec['template'] === undefined) return back
  const { strategy: _, ...rest } = spec
  return { ...back, spec: rest }
}

/**
 * Restores the rollout strategy of a workload. Called after the rollout, as the last action of undoing a patch. Repeating the call
 * is safe.
 */
export const undoStrategy = async (tools: StepTools, record: StepRecord): Promise<void> => {
  if (record.kind !== 'patched' || looseAt(record.back, 'spec', 'strategy') === undefined) return
  const body = { spec: { strategy: looseAt(record.back, 'spec', 'strategy') } }
  await tools.client
    .patch(
      await kindOf(tools, record.object),
      refOf(record.object),
      { type: 'merge', body },
      { fieldManager: FIELD_MANAGER },
    )
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
}

/** Restores what a step changed, except the rollout strategy, which `undoStrategy` restores. Repeating the call is safe. */
export const undoStep = async (tools: StepTools, step: PlanStep, record: StepRecord | undefined): Promise<void> => {
  if (step.do === 'by hand') {
    if (step.back.length > 0) await tools.byHand(step.back)
    return
  }
  if (step.do === 'roll out') return await performStep(tools, step)
  switch (record?.kind) {
    case 'patched':
      await tools.client
        .patch(
          await kindOf(tools, record.object),
          refOf(record.object),
          { type: 'merge', body: withoutStrategy(record.back) },
          { fieldManager: FIELD_MANAGER },
        )
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
      return
    case 'applied':
      for (const { object, before } of record.objects.toReversed()) {
        if (before !== undefined) await applyObjects(tools, [before])
        else
          await tools.client.delete(await kindOf(tools, object), refOf(object)).catch((error: unknown) => {
            if (!isNotFound(error)) throw error
          })
      }
      return await waitUntil(tools, '60m', async () => {
        for (const { object, before } of record.objects)
          if (before === undefined && (await read(tools, object)) !== undefined)
            return `${nameOfRef(object)} is not gone yet`
        return undefined
      })
    case 'cordoned':
      for (const name of record.nodes) await setUnschedulable(tools, name, false)
      return
    default:
      return
  }
}
