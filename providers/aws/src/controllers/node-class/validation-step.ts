import { createHash } from 'node:crypto'
import { type ConditionChange, findCondition } from '@kerf/apis'
import { NodeClassNotReadyError, providerErrors } from '@kerf/provider-contract'
import { UserDataError } from '@kerf/provider-kit'
import { TtlCache } from '@kerf/runtime'
import type { AwsDeps } from '../../aws-deps.ts'
import { awsErrors } from '../../failures/aws-errors.ts'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import { awsAnnotations } from '../../labels.ts'
import { nodeClassAmiFamily } from '../../node-class/ami-family.ts'
import type { EC2NodeClass } from '../../node-class/ec2-node-class.ts'
import { kubeletExpressions, setKubeletFields } from '../../node-class/kubelet-fields.ts'
import { reservedTags } from '../../node-class/reserved-tags.ts'
import { kubeletProblems, unsupportedKubeletFields } from '../../node-class/validate-kubelet.ts'
import { tryLaunch } from './permission-trial.ts'
import type { Step, StepResult } from './step.ts'

const TYPE = 'ValidationSucceeded'
const AGAIN = 600_000
const KEPT_FOR = 1_800_000
/** The conditions that a trial launch depends on. */
const DEPENDENCIES = ['AMIsReady', 'InstanceProfileReady', 'SecurityGroupsReady', 'SubnetsReady'] as const

type Verdict = Pick<ConditionChange, 'status' | 'reason' | 'message'>

const failed = (reason: string, message: string): ConditionChange => ({ type: TYPE, status: 'False', reason, message })

const { nodeClassHash, nodeClassHashVersion } = awsAnnotations
/**
 * Annotations that Kerf writes itself. The cache key of the trial leaves them out, because it already contains the fields that they derive
 * from.
 */
const OWN_ANNOTATIONS: ReadonlySet<string> = new Set([nodeClassHash, nodeClassHashVersion])

/**
 * Returns the cache key of the trial's result. It contains everything that a launch depends on. If a user adds an annotation, the key
 * changes, which causes a new trial.
 */
const cacheKey = ({ metadata, spec, status }: EC2NodeClass): string => {
  const { subnets, securityGroups, amis, instanceProfile } = status ?? {}
  const text = JSON.stringify([
    subnets?.map(({ id }) => id).toSorted(),
    securityGroups,
    amis,
    instanceProfile,
    spec,
    Object.entries(metadata.annotations ?? {}).filter(([key]) => !OWN_ANNOTATIONS.has(key)),
  ])
  return `${metadata.name}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** Returns the problem that the node class alone reveals, without a call to AWS. */
const ownProblem = (nodeClass: EC2NodeClass): ConditionChange | undefined => {
  const { kubelet, tags } = nodeClass.spec
  const problems = kubeletProblems(kubelet)
  if (problems.length > 0) return failed('InvalidKubeletConfiguration', problems.join('; '))
  const expressions = kubeletExpressions(setKubeletFields(kubelet))
  if (expressions.length > 0)
    return failed(
      'KubeletExpressionsDisabled',
      `${expressions.join(', ')} must be a plain value, because Kerf does not evaluate expressions; set maxPods to a number, and reserved resources to quantities`,
    )
  const unsupported = unsupportedKubeletFields(nodeClassAmiFamily(nodeClass.spec), kubelet)
  if (unsupported.length > 0) return failed('UnsupportedKubeletConfiguration', unsupported.join('; '))
  const reserved = reservedTags(tags)
  if (reserved.length > 0)
    return failed(
      'TagValidationFailed',
      `the tags ${reserved.join(', ')} are reserved for the controller; remove them from spec.tags`,
    )
  return undefined
}

/**
 * Returns the message for the condition of a node class for which EC2 refused some instance types, but not all. The message lists these
 * types.
 */
const refusedTypesText = (refused: ReadonlyMap<string, string>): Pick<Verdict, 'message'> => {
  const [first] = refused.values()
  if (first === undefined) return {}
  return { message: `nodes can be launched, except for those of type ${[...refused.keys()].join(', ')}: ${first}` }
}

/** Returns the condition to report if another condition prevents a trial launch. */
const missingDependency = (nodeClass: EC2NodeClass): ConditionChange | undefined => {
  const open = DEPENDENCIES.map((type) => ({
    type,
    status: findCondition(nodeClass, type)?.status ?? 'Unknown',
  })).filter(({ status }) => status !== 'True')
  if (open.length === 0) return undefined
  return {
    type: TYPE,
    status: open.some(({ status }) => status === 'False') ? 'False' : 'Unknown',
    reason: 'DependenciesNotReady',
    message: `waiting for ${open.map(({ type, status }) => `${type}=${status}`).join(', ')}`,
  }
}

/** Checks whether nodes of the node class can be launched (`providers/aws/docs/spec/aws-controllers.md#node-class-status`, validation). */
export class ValidationStep implements Step {
  readonly condition = TYPE
  readonly #deps: AwsDeps
  readonly #verdicts: TtlCache<string, Verdict>
  /** The cache keys of each node class, by its name. */
  readonly #keys = new Map<string, Set<string>>()
  /** For each node class (by name), the instance types that EC2 recently refused, each with EC2's reason. */
  readonly #refused: TtlCache<string, Map<string, string>>

  constructor(deps: AwsDeps) {
    this.#deps = deps
    this.#verdicts = new TtlCache(deps.context.clock, { ttl: KEPT_FOR })
    this.#refused = new TtlCache(deps.context.clock, { ttl: KEPT_FOR })
  }

  /** Removes the cached results of a deleted node class. */
  forget(name: string): void {
    for (const key of this.#keys.get(name) ?? []) this.#verdicts.delete(key)
    this.#keys.delete(name)
    this.#refused.delete(name)
  }

  async run(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<StepResult> {
    const unresolved = await this.#serviceRange(nodeClass, signal)
    if (unresolved !== undefined) return unresolved
    const problem = ownProblem(nodeClass) ?? missingDependency(nodeClass)
    if (problem !== undefined) return { condition: problem }
    const key = cacheKey(nodeClass)
    const known = this.#verdicts.get(key)
    if (known !== undefined) return { condition: { type: TYPE, ...known }, again: AGAIN }
    if (this.#deps.options.settings.disableDryRun) return this.#keep(nodeClass, key, { status: 'True' })
    return this.#try(nodeClass, key, signal)
  }

  async #try(nodeClass: EC2NodeClass, key: string, signal: AbortSignal): Promise<StepResult> {
    try {
      const name = nodeClass.metadata.name
      const known = this.#refused.get(name)
      const refused = known ?? new Map<string, string>()
      if (known === undefined) this.#refused.set(name, refused)
      const result = await tryLaunch(nodeClass, this.#deps, refused, signal)
      switch (result.kind) {
        case 'passed':
          return this.#keep(nodeClass, key, { status: 'True', ...refusedTypesText(refused) })
        case 'again':
          return {
            error: providerErrors.NodeClassUnusable({
              problem: `a launch from EC2NodeClass ${nodeClass.metadata.name} could not be tested yet`,
            }),
          }
        case 'refused': {
          const verdict = { status: 'False', reason: result.reason, message: result.message } as const
          return result.isKept
            ? this.#keep(nodeClass, key, verdict)
            : { condition: { type: TYPE, ...verdict }, again: AGAIN }
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof UserDataError)
        return this.#keep(nodeClass, key, { status: 'False', reason: 'UserDataInvalid', message: error.message })
      if (awsErrors.NoEndpoint.is(error)) return { condition: failed('ClusterEndpointNotFound', error.message), error }
      if (error instanceof NodeClassNotReadyError)
        return { condition: failed('ClusterCIDRResolutionFailed', error.message), error }
      return { error }
    }
  }

  /** Reads the service CIDR, which the user data of AL2023 nodes contains. */
  async #serviceRange(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<StepResult | undefined> {
    if (nodeClassAmiFamily(nodeClass.spec) !== 'AL2023') return undefined
    try {
      if ((await this.#deps.cluster.serviceCidr(signal)) !== undefined) return undefined
      return {
        condition: failed('ClusterCIDRResolutionFailed', 'EKS returned no service CIDR for the cluster'),
      }
    } catch (error) {
      signal.throwIfAborted()
      const { class: kind, code, message } = classifyAwsFailure(error)
      if (kind === 'server' || kind === 'rate-limited' || kind === 'no-endpoint') return { error }
      const problem = failed(
        'ClusterCIDRResolutionFailed',
        `EKS did not return the service CIDR, which AL2023 nodes need (${code}: ${message}); allow eks:DescribeCluster, and check CLUSTER_NAME and AWS_REGION`,
      )
      const isRefusal = kind === 'unauthorized' || kind === 'credentials' || kind === 'account'
      return isRefusal ? { unanswered: problem, error } : { condition: problem, error }
    }
  }

  #keep(nodeClass: EC2NodeClass, key: string, verdict: Verdict): StepResult {
    const name = nodeClass.metadata.name
    this.#verdicts.set(key, verdict)
    this.#keys.set(name, (this.#keys.get(name) ?? new Set()).add(key))
    return { condition: { type: TYPE, ...verdict }, again: AGAIN }
  }
}
