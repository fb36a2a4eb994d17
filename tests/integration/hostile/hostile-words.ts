import fc from 'fast-check'

/** Names of built-in properties of every JavaScript object and function. They are valid keys of labels, resources and other maps. */
export const BUILT_IN = [
  'constructor',
  'toString',
  'toLocaleString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'prototype',
  'length',
  'name',
  'call',
  'apply',
  'bind',
  'arguments',
  'caller',
] as const

/** Object names must be lower case, so only few of the built-in names are valid. */
const OBJECT_NAMES = [
  'constructor',
  'prototype',
  'length',
  'name',
  'call',
  'apply',
  'bind',
  'null',
  'true',
  '0',
  '1e3',
] as const

const chars = (count: number, character = 'n'): string => character.repeat(count)

/** Valid label keys that a program may handle incorrectly. */
export const labelKey = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string>(...BUILT_IN) },
  { weight: 2, arbitrary: fc.constantFrom(...BUILT_IN).map((name) => `example.com/${name}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      chars(63),
      `${chars(60)}.com/${chars(63)}`,
      '0',
      'a..b',
      'a__proto__b',
      'topology.kubernetes.io/zone',
      'failure-domain.beta.kubernetes.io/zone',
      'topology.ebs.csi.aws.com/zone',
      'topology.disk.csi.azure.com/zone',
      'karpenter.sh/capacity-type',
      'karpenter.sh/nodepool',
      'kubernetes.io/hostname',
      'node.kubernetes.io/instance-type',
    ),
  },
)

export const labelValue = fc.constantFrom<string>('', '0', 'true', 'null', 'NaN', chars(63), ...BUILT_IN)

/** Labels that only hostile objects have. */
export const labels = fc
  .dictionary(labelKey, labelValue, { maxKeys: 4 })
  .map((drawn) => ({ ...withoutMeaning(drawn), tenant: 'hostile' }))

/** Removes the labels that would make the controller treat an object as one of its nodes. */
const withoutMeaning = (drawn: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(drawn).filter(([key]) => !key.includes('karpenter.sh/') && !key.includes('kubernetes.io/')),
  )

export const annotations = fc.dictionary(
  fc.constantFrom<string>(
    ...BUILT_IN,
    'karpenter.sh/do-not-disrupt',
    'karpenter.sh/nodepool-hash',
    'karpenter.sh/nodepool-hash-version',
    'karpenter.sh/nodeclaim-termination-timestamp',
    'karpenter.kwok.sh/anything',
    'cluster-autoscaler.kubernetes.io/safe-to-evict',
  ),
  fc.constantFrom('', 'true', 'maybe', '-1h', '{', '[]', 'null', '\u202eabc', '\u001b[31m', chars(5_000)),
  { maxKeys: 3 },
)

/** Valid object names of up to the maximum length. `index` makes them unique. */
export const objectName = (longest = 253) =>
  fc.oneof(
    fc.tuple(fc.constantFrom(...OBJECT_NAMES), fc.nat(99_999)).map(([name, index]) => `${name}.${index}`),
    fc
      .tuple(fc.integer({ min: 40, max: longest - 8 }), fc.nat(999_999))
      .map(([length, index]) => `${chars(length)}-${String(index).padStart(6, '0')}`),
  )

/** Names that are DNS labels. Namespaces need them. Pods do as well, because the pod's name becomes its host name. */
export const dnsLabel = fc.oneof(
  fc
    .tuple(fc.constantFrom('constructor', 'prototype', 'length', 'name', 'null'), fc.nat(99_999))
    .map(([name, index]) => `${name}-${index}`),
  fc.tuple(fc.integer({ min: 1, max: 56 }), fc.nat(99_999)).map(([length, index]) => `${chars(length)}-${index}`),
)

/** Quantities that the API server accepts, although people rarely write them. */
export const quantity = fc.constantFrom(
  '0',
  '1n',
  '1u',
  '1m',
  '0.1',
  '1e3',
  '1E3',
  '1.5',
  '100m',
  '3Ki',
  '1Mi',
  '0.5Gi',
)
/** The quantities of `quantity`, and amounts that no node has. */
export const anyQuantity = fc.oneof(quantity, fc.constantFrom('9223372036854775807', '7Ei', '1e18', '999999'))

/** Names of extended resources, which accept only whole numbers. */
export const extendedResource = fc.constantFrom(...BUILT_IN).map((name) => `example.com/${name}`)

const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')

/** A requirement of a node selector term that the API server accepts. */
export const expression = fc
  .tuple(labelKey, operator, fc.uniqueArray(labelValue, { minLength: 1, maxLength: 3 }), fc.nat(1_000))
  .map(([key, wanted, values, number]) => {
    if (wanted === 'Exists' || wanted === 'DoesNotExist') return { key, operator: wanted }
    if (wanted === 'Gt' || wanted === 'Lt') return { key, operator: wanted, values: [String(number)] }
    return { key, operator: wanted, values }
  })

/** A label selector that the API server accepts. It may select all hostile pods. */
export const selector = fc.oneof(
  fc.constant({}),
  fc.dictionary(labelKey, labelValue, { maxKeys: 2 }).map((matchLabels) => ({ matchLabels })),
  fc
    .array(
      expression.filter(({ operator: wanted }) => wanted !== 'Gt' && wanted !== 'Lt'),
      { maxLength: 2 },
    )
    .map((matchExpressions) => ({ matchExpressions })),
)
