/** A node of the syntax tree, in the format of the parser. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

export const asNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined)
export const asNodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
