import {
  formatQuantity,
  ownValue,
  parseQuantity,
  type Quantity,
  QuantityError,
  qualifiedNameProblem,
  toQuantity,
} from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { type DeploymentProblem, deploymentProblem, type Reading, read } from './problem.ts'

/** The default pod limit of Cluster Autoscaler and of the kubelet. */
const DEFAULT_PODS = toQuantity(110)

interface AmountRule {
  readonly annotation: string
  readonly example: string
  readonly mayBeZero: boolean
  readonly isCount: boolean
}

const rules = {
  cpu: { annotation: clusterApiAnnotations.cpu, example: '4 or 3920m', mayBeZero: false, isCount: false },
  memory: { annotation: clusterApiAnnotations.memory, example: '16Gi', mayBeZero: false, isCount: false },
  pods: { annotation: clusterApiAnnotations.maxPods, example: '110', mayBeZero: false, isCount: true },
  disk: { annotation: clusterApiAnnotations.ephemeralDisk, example: '100Gi', mayBeZero: true, isCount: false },
  gpus: { annotation: clusterApiAnnotations.gpuCount, example: '1', mayBeZero: true, isCount: true },
} as const satisfies Record<string, AmountRule>

/**
 * Returns the capacity of one machine (`providers/cluster-api/docs/spec/cluster-api.md#capacity-annotations`). If an annotation is
 * absent, its amount comes from `otherwise`. The result's `value` is undefined if a required amount is missing or an annotation is
 * not a valid amount, because an instance type of a wrong size would launch machines endlessly.
 */
export const readCapacity = (
  deployment: MachineDeployment,
  otherwise: Resources = {},
): Reading<Resources | undefined> => {
  const cpu = requiredAmount(deployment, rules.cpu, otherwise['cpu'])
  const memory = requiredAmount(deployment, rules.memory, otherwise['memory'])
  const pods = amount(deployment, rules.pods)
  const disk = amount(deployment, rules.disk)
  const gpus = deploymentGpus(deployment)
  const problems = [cpu, memory, pods, disk, gpus].flatMap((reading) => reading.problems)
  if (cpu.value === undefined || memory.value === undefined) return { value: undefined, problems }
  if (problems.some(({ consequence }) => consequence === 'no-type')) return { value: undefined, problems }
  return {
    value: {
      ...otherwise,
      cpu: cpu.value,
      memory: memory.value,
      pods: pods.value ?? otherwise['pods'] ?? DEFAULT_PODS,
      ...(disk.value === undefined ? {} : { 'ephemeral-storage': disk.value }),
      ...gpus.value,
    },
    problems,
  }
}

const requiredAmount = (
  deployment: MachineDeployment,
  rule: AmountRule,
  otherwise: Quantity | undefined,
): Reading<Quantity | undefined> => {
  if (ownValue(deployment.annotations, rule.annotation) !== undefined) return amount(deployment, rule)
  if (otherwise !== undefined) return read(otherwise)
  const detail = 'without it, Kerf cannot tell which pods fit on a machine'
  const remedy = `annotate the MachineDeployment with the amount of one machine, such as ${rule.example}`
  return read(
    undefined,
    deploymentProblem(deployment, {
      reason: 'CapacityMissing',
      consequence: 'no-type',
      key: rule.annotation,
      detail,
      remedy,
    }),
  )
}

/** Reads an amount from an annotation. If the annotation is absent, the result is undefined and reports no problem. */
const amount = (deployment: MachineDeployment, rule: AmountRule): Reading<Quantity | undefined> => {
  const found = ownValue(deployment.annotations, rule.annotation)
  if (found === undefined) return read(undefined)
  const problem = (reason: DeploymentProblem['reason'], detail: string): Reading<undefined> => {
    const remedy = `write a Kubernetes quantity, such as ${rule.example}`
    const key = rule.annotation
    return read(
      undefined,
      deploymentProblem(deployment, { reason, consequence: 'no-type', key, found, detail, remedy }),
    )
  }
  const quantity = quantityIn(found.trim())
  if (quantity === undefined) return problem('CapacityUnreadable', 'this is not a Kubernetes quantity')
  if (quantity < 0n) return problem('CapacityOutOfRange', 'an amount cannot be negative')
  if (quantity === 0n && !rule.mayBeZero) return problem('CapacityOutOfRange', 'the amount must be more than 0')
  if (rule.isCount && !isWhole(quantity)) return problem('CapacityOutOfRange', 'the amount must be an integer')
  return read(quantity)
}

const quantityIn = (text: string): Quantity | undefined => {
  try {
    return parseQuantity(text)
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

const isWhole = (quantity: Quantity): boolean => !/[num]$/.test(formatQuantity(quantity))

/** Reads the GPUs, which need both annotations. If only one annotation is set, the machines count as machines without GPUs. */
const deploymentGpus = (deployment: MachineDeployment): Reading<Resources> => {
  const { gpuType, gpuCount } = clusterApiAnnotations
  const type = deployment.annotations[gpuType]?.trim()
  const count = deployment.annotations[gpuCount]
  if (type === undefined && count === undefined) return read({})
  const incomplete = (missing: string, remedy: string): Reading<Resources> => {
    const detail = `only the other one of gpu-count and gpu-type is set, so the instance type has no GPUs`
    return read(
      {},
      deploymentProblem(deployment, { reason: 'GpuIncomplete', consequence: 'left-out', key: missing, detail, remedy }),
    )
  }
  if (type === undefined) return incomplete(gpuType, 'set the resource of its device plugin, such as nvidia.com/gpu')
  if (count === undefined) return incomplete(gpuCount, 'set the number of GPUs of one machine, such as 1')
  if (!type.includes('/') || qualifiedNameProblem(type) !== undefined) {
    const detail = qualifiedNameProblem(type) ?? 'the name of an extended resource needs a domain'
    const remedy = 'set the resource of the device plugin, such as nvidia.com/gpu'
    const consequence = 'no-type'
    return read(
      {},
      deploymentProblem(deployment, {
        reason: 'GpuTypeInvalid',
        consequence,
        key: gpuType,
        found: type,
        detail,
        remedy,
      }),
    )
  }
  const gpus = amount(deployment, rules.gpus)
  return { value: gpus.value === undefined ? {} : { [type]: gpus.value }, problems: gpus.problems }
}
