/** Building blocks for the CRD schemas of kinds that Kerf displays and does not define. */

export type Schema = Readonly<Record<string, unknown>>

export const text: Schema = { type: 'string' }
export const number = (minimum?: number, maximum?: number): Schema => ({
  type: 'integer',
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
})
export const enumSchema = (...values: readonly string[]): Schema => ({ type: 'string', enum: values })
export const texts: Schema = { type: 'object', additionalProperties: text }
export const list = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
})
export const fields = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})
export const quantity: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }

const conditions = list(fields({ type: text, status: text, reason: text, message: text, lastTransitionTime: text }))
export const whole = (spec: Schema, status: Readonly<Record<string, Schema>>): Schema =>
  fields({
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec,
    status: fields({ ...status, conditions }),
  })
export const selectors = list(fields({ tags: texts, id: text, name: text, alias: text }), 30)
