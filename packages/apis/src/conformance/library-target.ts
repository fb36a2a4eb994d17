import type { Admission, ResourceAdmission } from '../admission.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import type { JsonObject } from '../schema/structural-schema.ts'
import type { ConformanceTarget, WriteResult } from './case.ts'

/** Returns a target that uses the library's validator of one kind. It stores one object, which is enough for a case. */
export const libraryTarget = (admission: ResourceAdmission): ConformanceTarget => {
  let stored: JsonObject = {}
  const keep = (answer: Admission<KubeObject>): Promise<WriteResult> => {
    if (!answer.accepted) return Promise.resolve({ accepted: false, fields: answer.errors.map(({ field }) => field) })
    stored = { ...answer.object }
    return Promise.resolve({ accepted: true, object: stored })
  }
  return {
    create: (_, object) => keep(admission.create(object)),
    update: (_, object) => keep(admission.update(stored, object)),
    updateStatus: (_, object) => keep(admission.updateStatus(stored, object)),
    remove: () => Promise.resolve(),
  }
}
