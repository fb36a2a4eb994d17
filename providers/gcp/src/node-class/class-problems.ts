import { tryParseDuration, tryParseQuantity } from '@kerf/apis'
import type { GCENodeClass, GCENodeClassSpec } from './gce-node-class.ts'

/** A value that the CRD accepts, but that Compute Engine or the kubelet refuses. */
export interface ClassProblem {
  readonly reason: 'InvalidLabels' | 'InvalidDisks' | 'InvalidKubeletConfiguration'
  /** The field, the problem, and what to do. */
  readonly message: string
}

// Compute Engine also accepts letters of other alphabets if they are lower case or have no case.
const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u

const isLabelValue = (value: string): boolean => LABEL_VALUE.test(value)

const invalidLabels = (message: string): ClassProblem => ({ reason: 'InvalidLabels', message })
const invalidKubelet = (message: string): ClassProblem => ({ reason: 'InvalidKubeletConfiguration', message })

const labelProblems = (labels: GCENodeClassSpec['labels'] = {}): readonly ClassProblem[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...(LABEL_KEY.test(key)
      ? []
      : [
          invalidLabels(
            `spec.labels: the key ${JSON.stringify(key)} must begin with a lower case letter and have at most 63 lower case letters, digits, underscores and hyphens`,
          ),
        ]),
    ...(isLabelValue(value)
      ? []
      : [
          invalidLabels(
            `spec.labels[${JSON.stringify(key)}]: the value ${JSON.stringify(value)} must have at most 63 lower case letters, digits, underscores and hyphens`,
          ),
        ]),
  ])

const diskProblems = (disks: GCENodeClassSpec['disks'] = []): readonly ClassProblem[] =>
  disks.filter(({ boot }) => boot === true).length <= 1
    ? []
    : [{ reason: 'InvalidDisks', message: 'spec.disks: an instance has one boot disk; set "boot" on one disk only' }]

type Kubelet = NonNullable<GCENodeClassSpec['kubeletConfiguration']>

const isPercentage = (value: string): boolean => value.endsWith('%')

const quantityProblems = (kubelet: Kubelet): readonly ClassProblem[] =>
  (['systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft'] as const).flatMap((field) =>
    Object.entries(kubelet[field] ?? {})
      .filter(([, value]) => !isPercentage(value) && tryParseQuantity(value) === undefined)
      .map(([key, value]) =>
        invalidKubelet(
          `spec.kubeletConfiguration.${field}[${JSON.stringify(key)}]: ${JSON.stringify(value)} must be a quantity, for example "100Mi"`,
        ),
      ),
  )

const durationProblems = ({ evictionSoftGracePeriod = {} }: Kubelet): readonly ClassProblem[] =>
  Object.entries(evictionSoftGracePeriod)
    .filter(([, value]) => tryParseDuration(value) === undefined)
    .map(([key, value]) =>
      invalidKubelet(
        `spec.kubeletConfiguration.evictionSoftGracePeriod[${JSON.stringify(key)}]: ${JSON.stringify(value)} must be a duration, for example "1m30s"`,
      ),
    )

/** Returns the values of a node class that the CRD cannot reject but that prevent every launch. */
export const classProblems = ({ spec }: Pick<GCENodeClass, 'spec'>): readonly ClassProblem[] => {
  const kubelet = spec?.kubeletConfiguration ?? {}
  return [
    ...labelProblems(spec?.labels),
    ...diskProblems(spec?.disks),
    ...quantityProblems(kubelet),
    ...durationProblems(kubelet),
  ]
}
