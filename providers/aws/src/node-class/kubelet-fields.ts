import { ownValue, tryParseQuantity } from '@kerf/apis'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'

/**
 * The kubelet settings that Karpenter itself interprets (`providers/aws/docs/spec/aws-node-class.md#kubelet`). All others are passed through.
 */
export interface KubeletFields {
  readonly clusterDNS?: readonly string[]
  /** A string is an expression. */
  readonly maxPods?: number | string
  readonly podsPerCore?: number
  readonly systemReserved?: Readonly<Record<string, string>>
  readonly kubeReserved?: Readonly<Record<string, string>>
  readonly evictionHard?: Readonly<Record<string, string>>
  readonly evictionSoft?: Readonly<Record<string, string>>
  readonly evictionSoftGracePeriod?: Readonly<Record<string, string>>
  readonly evictionMaxPodGracePeriod?: number
  readonly imageGCHighThresholdPercent?: number
  readonly imageGCLowThresholdPercent?: number
  readonly cpuCFSQuota?: boolean
}

/** Thrown when a kubelet field that Karpenter interprets has a value of the wrong type. */
export class KubeletFieldError extends Error {
  override readonly name = 'KubeletFieldError'
  readonly field: string

  constructor(field: string, wanted: string) {
    super(`spec.kubelet.${field} must be ${wanted}`)
    this.field = field
  }
}

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value)
const isInt32 = (value: unknown): value is number => isWhole(value) && Math.abs(value) < 2 ** 31

type Reader<T> = (field: string, value: unknown) => T

const wholeNumber: Reader<number> = (field, value) => {
  if (isInt32(value)) return value
  throw new KubeletFieldError(field, 'a whole number')
}

const podLimit: Reader<number | string> = (field, value) => {
  if (isInt32(value) || typeof value === 'string') return value
  throw new KubeletFieldError(field, 'an integer or an expression')
}

const yesOrNo: Reader<boolean> = (field, value) => {
  if (typeof value === 'boolean') return value
  throw new KubeletFieldError(field, 'true or false')
}

const texts: Reader<readonly string[]> = (field, value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new KubeletFieldError(field, 'a list of strings')
}

const textMap: Reader<Readonly<Record<string, string>>> = (field, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new KubeletFieldError(field, 'a map of strings')
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]: readonly [string, unknown]) => {
      if (typeof entry === 'string') return [key, entry]
      throw new KubeletFieldError(`${field}[${JSON.stringify(key)}]`, 'a text, in quotes')
    }),
  )
}

const readers: { readonly [Field in keyof Required<KubeletFields>]: Reader<NonNullable<KubeletFields[Field]>> } = {
  clusterDNS: texts,
  maxPods: podLimit,
  podsPerCore: wholeNumber,
  systemReserved: textMap,
  kubeReserved: textMap,
  evictionHard: textMap,
  evictionSoft: textMap,
  evictionSoftGracePeriod: textMap,
  evictionMaxPodGracePeriod: wholeNumber,
  imageGCHighThresholdPercent: wholeNumber,
  imageGCLowThresholdPercent: wholeNumber,
  cpuCFSQuota: yesOrNo,
}

/** The names of the kubelet fields that Karpenter interprets. */
export const managedKubeletFields: ReadonlySet<string> = new Set(Object.keys(readers))

/**
 * Returns those kubelet settings of a node class that Karpenter interprets. Null counts as absent.
 *
 * @throws KubeletFieldError for the first field of a wrong type.
 */
export const setKubeletFields = (kubelet: EC2NodeClassSpec['kubelet']): KubeletFields =>
  Object.fromEntries(
    Object.entries(readers).flatMap(([field, read]) => {
      const value = ownValue(kubelet, field)
      return value === undefined || value === null ? [] : [[field, read(field, value)]]
    }),
  )

/** Returns the sorted names of the fields that only the kubelet interprets. */
export const passthroughFields = (kubelet: EC2NodeClassSpec['kubelet']): readonly string[] =>
  Object.keys(kubelet ?? {})
    .filter((field) => !managedKubeletFields.has(field))
    .sort()

/** Returns the entries that are quantities. The others are expressions, which are not evaluated while NodeClassCEL is off. */
export const reservedAmounts = (
  reserved: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined =>
  reserved === undefined
    ? undefined
    : Object.fromEntries(Object.entries(reserved).filter(([, value]) => tryParseQuantity(value) !== undefined))

/** Returns the fields with an expression, which needs the gate NodeClassCEL, or with an amount that cannot be parsed. */
export const kubeletExpressions = (fields: KubeletFields): readonly string[] => {
  const reserved = (['kubeReserved', 'systemReserved'] as const).flatMap((field) =>
    Object.entries(fields[field] ?? {})
      .filter(([, value]) => tryParseQuantity(value) === undefined)
      .map(([resource]) => `${field}[${JSON.stringify(resource)}]`),
  )
  return [...(typeof fields.maxPods === 'string' ? ['maxPods'] : []), ...reserved].map(
    (field) => `spec.kubelet.${field}`,
  )
}

/** Kubelet settings in which all values that depend on the instance type are resolved. */
export interface SettledKubelet extends KubeletFields {
  readonly maxPods: number
}

/**
 * Returns the kubelet settings for an instance. If the fields specify no pod limit or DNS address, adds the pod limit of the instance type
 * and the cluster's DNS address.
 */
export const settleKubelet = (
  fields: KubeletFields,
  instance: { readonly podCapacity: number; readonly clusterDNS: string | undefined },
): SettledKubelet => {
  const { clusterDNS, kubeReserved, systemReserved, maxPods, ...rest } = fields
  const dns = clusterDNS ?? (instance.clusterDNS === undefined ? undefined : [instance.clusterDNS])
  const kube = reservedAmounts(kubeReserved)
  const system = reservedAmounts(systemReserved)
  return {
    ...rest,
    maxPods: typeof maxPods === 'number' ? maxPods : instance.podCapacity,
    ...(dns === undefined ? {} : { clusterDNS: dns }),
    ...(kube === undefined ? {} : { kubeReserved: kube }),
    ...(system === undefined ? {} : { systemReserved: system }),
  }
}
