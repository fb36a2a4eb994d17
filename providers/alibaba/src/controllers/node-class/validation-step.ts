import { tryParseDuration, tryParseQuantity } from '@kerf/apis'
import type { Step } from '@kerf/provider-kit'
import type { ECSNodeClass, ECSNodeClassSpec } from '../../node-class/ecs-node-class.ts'
import { tagProblems } from './tag-problems.ts'

const TYPE = 'ValidationSucceeded'

const PERCENTAGE = /^\d+(?:\.\d+)?%$/

/** Returns the kubelet fields whose values the kubelet could not parse. Karpenter's CRD does not check these values. */
const kubeletProblems = ({ kubeletConfiguration: kubelet = {} }: ECSNodeClassSpec): readonly string[] => [
  ...(['systemReserved', 'kubeReserved'] as const).flatMap((field) =>
    Object.entries(kubelet[field] ?? {})
      .filter(([, value]) => tryParseQuantity(value) === undefined)
      .map(
        ([key, value]) =>
          `spec.kubeletConfiguration.${field}[${key}]: ${JSON.stringify(value)} must be a quantity, for example "500Mi"`,
      ),
  ),
  ...(['evictionHard', 'evictionSoft'] as const).flatMap((field) =>
    Object.entries(kubelet[field] ?? {})
      .filter(([, value]) => !PERCENTAGE.test(value) && tryParseQuantity(value) === undefined)
      .map(
        ([key, value]) =>
          `spec.kubeletConfiguration.${field}[${key}]: ${JSON.stringify(value)} must be a quantity or a percentage, for example "10%"`,
      ),
  ),
  ...Object.entries(kubelet.evictionSoftGracePeriod ?? {})
    .filter(([, value]) => tryParseDuration(value) === undefined)
    .map(
      ([key, value]) =>
        `spec.kubeletConfiguration.evictionSoftGracePeriod[${key}]: ${JSON.stringify(value)} must be a duration, for example "1m30s"`,
    ),
]

const diskProblems = ({ systemDisk, dataDisks = [], dataDiskCategories = [] }: ECSNodeClassSpec): readonly string[] => [
  ...[systemDisk?.volumeSize, ...dataDisks.map(({ volumeSize }) => volumeSize)].flatMap((size) =>
    size === undefined || tryParseQuantity(size) !== undefined
      ? []
      : [`volumeSize: ${JSON.stringify(size)} must be a number with a unit, for example "100Gi"`],
  ),
  ...(dataDisks.length > 0 && dataDiskCategories.length === 0
    ? ['spec.dataDisks needs spec.dataDiskCategories, otherwise nodes have no data disks']
    : []),
]

/** Reports values that the CRD accepts but that nodes cannot have. Kerf launches nothing for a node class with such a value. */
export const validationStep = (): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async ({ spec }) => {
    const problems =
      spec === undefined ? ['spec is missing'] : [...kubeletProblems(spec), ...diskProblems(spec), ...tagProblems(spec)]
    return {
      condition:
        problems.length === 0
          ? { type: TYPE, status: 'True' }
          : { type: TYPE, status: 'False', reason: 'NodeClassInvalid', message: problems.join('; ') },
    }
  },
})
