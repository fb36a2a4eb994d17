/** What the name of a VM size says. */
export interface SizeName {
  /** The first letter, as `D`. */
  readonly family: string
  /** Family, sub-family, features and version, as `Dpls_v6`. */
  readonly series: string
  /** Without `v`; `1` where the name has none. */
  readonly version: string
  /** As `A100`; undefined where the name has none. */
  readonly accelerator: string | undefined
  /** Whether fewer vCPUs are switched on than the VM has, as in `M8-2ms`. */
  readonly isConstrained: boolean
}

// Features are one run of small letters (P and r among them); some old sizes have capitals instead.
const FEATURES = '(?<features>[abcdeiflmnotspPr]+|C+|NP)?'
// Capitals and digits. Letters may only follow where `xl_` stands before.
const ACCELERATOR = '(?:(?:xl_(?<large>[A-Z]+\\d+[A-Z]*)|(?<accelerator>[A-Z]+\\d+))_?)?'
const REST = '(?:_cc_)?(?:_\\d+_)?(?:_MI300X_)?(?:_H100_)?(?<version>[vV][1-9])?(?:_Promo)?'
const NAME = new RegExp(
  `^(?<family>[A-Z])(?<subfamily>[A-Z]{0,2})\\d+-?(?<constrained>\\d*)${FEATURES}_?${ACCELERATOR}${REST}$`,
)

/** The one size whose features stand before a number that is no part of them. */
const IRREGULAR: ReadonlyMap<string, SizeName> = new Map([
  ['M416s_8_v2', { family: 'M', series: 'Ms_v2', version: '2', accelerator: undefined, isConstrained: false }],
])

/** Reads the name of a size without `Standard_`; undefined for one that does not parse (`docs/spec/azure.md#global-filters`). */
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
