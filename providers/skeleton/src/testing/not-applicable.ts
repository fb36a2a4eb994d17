import type { CheckId } from '@kerf/provider-contract/conformance'

const NOT_YET = 'not written yet'
/** Remove a check from this list once it is implemented. Replace the reason if the check does not apply. */
const unwritten: readonly CheckId[] = [
  ...(['C01', 'C02', 'C04', 'C05', 'C06', 'C07', 'C08', 'C09', 'C10', 'C12', 'C13', 'C17', 'C18', 'C20'] as const),
  ...(['C21', 'C22', 'C23', 'C24', 'C25', 'C26', 'C27', 'D01', 'D02', 'D03', 'D04', 'D07', 'D08', 'G02'] as const),
  ...(['G03', 'G04', 'L04', 'L05', 'T04', 'T06', 'T07', 'T08', 'H01', 'H04', 'H05', 'H06', 'H07', 'B02'] as const),
  ...(['B05', 'B07', 'B08', 'B09', 'B10', 'B11', 'X02', 'X04', 'X05', 'X06'] as const),
]

/** The checks of the provider contract that do not apply, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  ...Object.fromEntries(unwritten.map((id) => [id, NOT_YET])),
  C03: 'the class is not hashed',
  C11: 'the cloud has no spot capacity',
  C19: 'the cloud has no spot capacity',
  C28: 'an instance carries its tags from its launch on',
  T09: 'prices are part of the program',
  H02: 'the class is not hashed',
  H03: 'the class is not hashed',
  B06: 'the cloud interrupts nothing',
}
