import { describe, expect, it } from 'vitest'
import { entryAt, floatAt, intAt, outOfRange, wordAt } from './column.ts'
import type { ClaimConstraints } from './model/claim-constraints.ts'
import type { BatchPod } from './model/equivalence-group.ts'
import type { ClaimId } from './model/ids.ts'
import { ClaimTable } from './packing/claim-table.ts'

describe('checked columns', () => {
  it('return the entry for an id, including zero', () => {
    expect(floatAt(Float64Array.of(0, 1.5), 1)).toBe(1.5)
    expect(floatAt(Float64Array.of(0, 1.5), 0)).toBe(0)
    expect(intAt(Int32Array.of(-1, 7), 0)).toBe(-1)
    expect(wordAt(Uint32Array.of(5), 0)).toBe(5)
    expect(entryAt([3, 0], 1)).toBe(0)
  })

  it.each([-1, 2, 0.5, Number.NaN])('report the id %s, which has no entry', (id) => {
    const reported = new RegExp(`No entry ${id} in the column .*please report`)
    expect(() => floatAt(new Float64Array(2), id)).toThrow(reported)
    expect(() => intAt(new Int32Array(2), id)).toThrow(reported)
    expect(() => wordAt(new Uint32Array(2), id)).toThrow(reported)
    expect(() => entryAt([1, 2], id)).toThrow(reported)
    expect(() => outOfRange('used', id)).toThrow(RangeError)
  })

  it('name the column in the error', () => {
    expect(() => floatAt(new Float64Array(2), 9, 'free amounts of nodes')).toThrow('"free amounts of nodes"')
    expect(() => intAt(new Int32Array(2), 9)).toThrow('"of 2 entries"')
    expect(() => outOfRange('used', 9)).toThrow('No entry 9 in the column "used"')
  })
})

describe('the table of claims', () => {
  it('throws if the claim does not exist', () => {
    const table = new ClaimTable(3, 1)
    const none = 7 as ClaimId
    const constraints = { id: 0, largest: new Float64Array(3) } as unknown as ClaimConstraints
    const pod = {} as BatchPod
    table.add(constraints, pod, new Float64Array(3))
    expect(() => table.place(none, constraints, pod, new Float64Array(3))).toThrow(
      'No entry 21 in the column "requests of claims"',
    )
    expect(() => table.retire(none)).toThrow('No entry 7 in the column "next claims"')
  })
})
