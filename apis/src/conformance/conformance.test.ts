import { expect, test } from 'vitest'
import { type Admission, validateCreate, validateStatusUpdate, validateUpdate } from '../admission.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import type { JsonObject } from '../schema/structural-schema.ts'
import { type ConformanceTarget, checkCase, conformanceCases, type WriteResult } from './index.ts'

/** The validator with a memory for one object, which is all that a case needs. */
const library = (): ConformanceTarget => {
  let stored: JsonObject = {}
  const keep = (admission: Admission<KubeObject>): Promise<WriteResult> => {
    if (!admission.accepted) {
      return Promise.resolve({ accepted: false, fields: admission.errors.map(({ field }) => field) })
    }
    stored = { ...admission.object }
    return Promise.resolve({ accepted: true, object: stored })
  }
  return {
    create: (kind, object) => keep(validateCreate(kind, object)),
    update: (kind, object) => keep(validateUpdate(kind, stored, object)),
    updateStatus: (kind, object) => keep(validateStatusUpdate(kind, stored, object)),
    remove: () => Promise.resolve(),
  }
}

const cases = conformanceCases()

test('the table is big, has good and bad of every operation, and no name twice', () => {
  expect(cases.length).toBeGreaterThan(400)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  for (const operation of ['create', 'update', 'update-status']) {
    for (const accepted of [true, false]) {
      const some = cases.filter((each) => each.operation === operation && each.expect.accepted === accepted)
      expect(some.length, `${operation}, accepted: ${accepted}`).toBeGreaterThan(10)
    }
  }
})

test.each(cases)('$name', async (each) => {
  expect(await checkCase(library(), each)).toBeUndefined()
})
