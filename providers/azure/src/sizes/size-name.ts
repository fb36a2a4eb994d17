/** The parts of a VM size name. */
export interface SizeName {
  /** The first letter, such as `D`. */
  readonly family: string
  /** Family, sub-family, features and version, such as `Dpls_v6`. */
  readonly series: string
  /** The version without `v`. It is `1` if the name has no version. */
  readonly version: string
  /** The accelerator, for example `A100`. Undefined if the name has none. */
  readonly accelerator: string | undefined
  /** Whether fewer vCPUs are enabled than the VM has, as in `M8-2ms`. */
  readonly isConstrained: boolean
}

// Features are a sequence of lower-case letters (or P). Some old sizes have capital letters instead.
const FEATURES = '(?<features>[abcdeiflmnotspPr]+|C+|NP)?'
// Matches capital letters and digits. Further letters are allowed only after the prefix `xl_`.
const ACCELERATOR = '(?:(?:xl_(?<large>[A-Z]+\\d+[A-Z]*)|(?<accelerator>[A-Z]+\\d+))_?)?'
const REST = '(?:_cc_)?(?:_\\d+_)?(?:_MI300X_)?(?:_H100_)?(?<version>[vV][1-9])?(?:_Promo)?'
const NAME = new RegExp(
  `^(?<family>[A-Z])(?<subfamily>[A-Z]{0,2})\\d+-?(?<constrained>\\d*)${FEATURES}_?${ACCELERATOR}${REST}$`,
)

/** The only size name with another number after its feature letters. */
const IRREGULAR: ReadonlyMap<string, SizeName> = new Map([
  ['M416s_8_v2', { family: 'M', series: 'Ms_v2', version: '2', accelerator: undefined, isConstrained: false }],
])

/** Parses a size name without `Standard_`. Undefined for a name that does not parse (`providers/azure/docs/spec/azure.md#global-filters`). */
export const parseSizeName = (size: string): SizeName | undefined => {
  const parts = NAME.exec(size)?.groups
  if (parts === undefined) return IRREGULAR.get(size)
  const { family = '', subfamily = '', features = '', version, constrained = '', accelerator, large } = parts
  return {
    family,
    series: `${family}${subfamily}${features}${version === undefined ? '' : `_${version}`}`,
    version: version?.slice(1) ?? '1',
    accelerator: large ?? accelerator,
    isConstrained: constrained !== '',
  }
}
