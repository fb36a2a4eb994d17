import { expectTypeOf, test } from 'vitest'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { ConstraintsId, RequirementsId, TolerationsId } from './ids.ts'

test('a number of one thing is not taken for that of another', () => {
  expectTypeOf<ClaimConstraintsTable['join']>().parameters.toEqualTypeOf<[ConstraintsId, RequirementsId]>()
  expectTypeOf<ConstraintsId>().not.toExtend<RequirementsId>()
  expectTypeOf<RequirementsId>().not.toExtend<TolerationsId>()
  expectTypeOf<number>().not.toExtend<ConstraintsId>()
  // Where a plain number is wanted, as for an index, each of them will do.
  expectTypeOf<ConstraintsId>().toExtend<number>()
})
