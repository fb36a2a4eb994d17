import { isNode, type Node, nodeOf, nodesOf, textOf } from './nodes.ts'

/** What tells people something, by its last name: `log`, `this.#log`, `context.log`, `this.#options.logger`. */
const tellsPeople = /^#?(?:log|logger|logs|console)$|Log(?:ger)?$/
/** Properties whose text only tells people something. */
const proseProperties: ReadonlySet<string> = new Set([
  'message',
  'msg',
  'detail',
  'remedy',
  'help',
  'description',
  'summary',
  'title',
])

/** The name that a call's receiver, or the called function itself, ends with. */
const lastName = (node: Node | undefined, source: string): string => {
  if (node === undefined) return ''
  if (node.type === 'MemberExpression')
    return node['computed'] === true ? '' : lastName(nodeOf(node['property']), source)
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression')
    return lastName(nodeOf(node['expression']), source)
  return source.slice(node.start, node.end)
}

const loggedAt = (node: Node, source: string): string | undefined => {
  if (node.type !== 'CallExpression') return undefined
  const callee = nodeOf(node['callee'])
  const isMethod = callee?.type === 'MemberExpression'
  if (!tellsPeople.test(lastName(isMethod ? nodeOf(callee['object']) : callee, source))) return undefined
  return isMethod ? lastName(callee, source) : ''
}

/** Statements that do no more than write debug lines: who reads the log at its usual level never sees whether they ran. */
const onlyDebugs = (node: Node | undefined, source: string): boolean => {
  if (node?.type === 'BlockStatement') {
    const body = nodesOf(node['body'])
    return body.length > 0 && body.every((each) => onlyDebugs(each, source))
  }
  if (node?.type !== 'ExpressionStatement') return false
  const expression = nodeOf(node['expression'])
  const call = expression?.type === 'ChainExpression' ? nodeOf(expression['expression']) : expression
  return call !== undefined && loggedAt(call, source) === 'debug'
}

const holdsCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  node.type === 'AwaitExpression' ||
  Object.values(node).some((value) =>
    isNode(value) ? holdsCall(value) : nodesOf(value).some((each) => holdsCall(each)),
  )

/** Types, and what is text for people only, are no behaviour: nothing below such a node is mutated. */
export const isNoBehaviour = (node: Node, source: string): boolean => {
  if (/^TS/.test(node.type) && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || node.type === 'ImportExpression')
    return true
  if (node.type === 'ChainExpression') {
    const link = nodeOf(node['expression'])
    return link !== undefined && loggedAt(link, source) !== undefined
  }
  if (node.type === 'CallExpression') return loggedAt(node, source) !== undefined
  if (node.type === 'BlockStatement') return onlyDebugs(node, source)
  if (node.type === 'IfStatement') {
    const test = nodeOf(node['test'])
    const hasElse = nodeOf(node['alternate']) !== undefined
    return !hasElse && test !== undefined && !holdsCall(test) && onlyDebugs(nodeOf(node['consequent']), source)
  }
  if (node.type === 'NewExpression') {
    const callee = nodeOf(node['callee'])
    return callee !== undefined && /Error$/.test(source.slice(callee.start, callee.end))
  }
  if (node.type === 'Property') {
    const key = nodeOf(node['key'])
    return node['computed'] !== true && proseProperties.has(textOf(key?.['name'] ?? key?.['value']))
  }
  return false
}

/** Metadata that the API server gives every object that it stores. */
const alwaysThere = /\bmetadata\??\.(?:name|uid|creationTimestamp|resourceVersion)$/

/**
 * Whether a literal stands behind `metadata.name ??` or one of its kin. The types say optional because an object that is
 * yet to be created has none; one that was read always has. Only the literal is left alone: that the name is used counts.
 */
export const isUnreachableFallback = (literal: Node, parent: Node | undefined, source: string): boolean => {
  if (parent?.type !== 'LogicalExpression' || parent['operator'] !== '??') return false
  const [left, right] = [nodeOf(parent['left']), nodeOf(parent['right'])]
  if (left === undefined || right !== literal) return false
  return alwaysThere.test(source.slice(left.start, left.end))
}
