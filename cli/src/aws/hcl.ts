/** A reference or call, written as it stands. */
export interface Expression {
  readonly expression: string
}
export type HclValue =
  | string
  | number
  | boolean
  | Expression
  | readonly HclValue[]
  | { readonly [key: string]: HclValue }

/** A block: `resource "aws_iam_role" "node" { … }`. */
export interface HclBlock {
  readonly type: string
  readonly labels?: readonly string[]
  readonly attributes?: Readonly<Record<string, HclValue>>
  readonly blocks?: readonly HclBlock[]
}

const isExpression = (value: HclValue): value is Expression =>
  typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, 'expression')

const valueText = (value: HclValue, indent: string): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object') return String(value)
  if (isExpression(value)) return value.expression
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item: HclValue) => valueText(item, inner))
    const line = `[${items.join(', ')}]`
    if (items.length === 0 || (items.length < 4 && line.length < 80 && !line.includes('\n'))) return line
    return `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`
  }
  const entries = Object.entries(value)
  return entries.length === 0
    ? '{}'
    : `{\n${lines(
        entries.map(([key, each]) => [JSON.stringify(key), each]),
        inner,
      )}${indent}}`
}

/** `key = value` lines; like `terraform fmt`, neighbours of one line each have their signs in one column. */
const lines = (entries: readonly (readonly [string, HclValue])[], indent: string): string => {
  const drawn = entries.map(([key, value]) => ({ key, text: valueText(value, indent) }))
  let out = ''
  for (let start = 0; start < drawn.length; ) {
    let end = start
    while (end < drawn.length && drawn[end]?.text.includes('\n') !== true) end++
    // The line that opens a longer value closes the run above it.
    const run = drawn.slice(start, end === start ? start + 1 : end)
    const width = Math.max(...run.map(({ key }) => key.length))
    out += run.map(({ key, text }) => `${indent}${key.padEnd(width)} = ${text}\n`).join('')
    start += run.length
  }
  return out
}

/** HCL text of blocks. Strings are templates: an interpolation in them stays one. */
export const hcl = (blocks: readonly HclBlock[], indent = ''): string =>
  blocks
    .map(({ type, labels = [], attributes = {}, blocks: nested = [] }) => {
      const head = [type, ...labels.map((label) => JSON.stringify(label))].join(' ')
      const own = lines(Object.entries(attributes), `${indent}  `)
      const inner = hcl(nested, `${indent}  `)
      return `${indent}${head} {\n${own}${own !== '' && inner !== '' ? '\n' : ''}${inner}${indent}}\n`
    })
    .join('\n')
