import { asNode, asNodes, asText, isNode, type Node } from './nodes.ts'

/** Matches the last name of objects that write log messages: `log`, `this.#log`, `context.log`, `this.#options.logger`. */
const tellsPeople = /^#?(?:log|logger|logs|console)$|Log(?:ger)?$/
/** Properties that contain text for people. Changing it is not a change of behavior. */
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

/** Returns the last name of a call's receiver, or the name of the called function if there is no receiver. */
const lastName = (node: Node | undefined, source: string): string => {
  if (node === undefined) return ''
  if (node.type === 'MemberExpression')
    return node['computed'] === true ? '' : lastName(asNode(node['property']), source)
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression')
    return lastName(asNode(node['expression']), source)
  return source.slice(node.start, node.end)
}

const loggedAt = (node: Node, source: string): string | undefined => {
  if (node.type !== 'CallExpression') return undefined
  const callee = asNode(node['callee'])
  const isMethod = callee?.type === 'MemberExpression'
  if (!tellsPeople.test(lastName(isMethod ? asNode(callee['object']) : callee, source))) return undefined
  return isMethod ? lastName(callee, source) : ''
}

/** Returns whether the statements only write debug messages, which are not visible at the usual log level. */
const onlyDebugs = (node: Node | undefined, source: string): boolean => {
  if (node?.type === 'BlockStatement') {
    const body = asNodes(node['body'])
    return body.length > 0 && body.every((each) => onlyDebugs(each, source))
  }
  if (node?.type !== 'ExpressionStatement') return false
  const expression = asNode(node['expression'])
  const call = expression?.type === 'ChainExpression' ? asNode(expression['expression']) : expression
  return call !== undefined && loggedAt(call, source) === 'debug'
}

const holdsCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  node.type === 'AwaitExpression' ||
  Object.values(node).some((value) =>
    isNode(value) ? holdsCall(value) : asNodes(value).some((each) => holdsCall(each)),
  )

/** Returns whether the node is a type, or text for people. Nothing inside such a node is mutated. */
export const isNoBehaviour = (node: Node, source: string): boolean => {
  if (/^TS/.test(node.type) && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || node.type === 'ImportExpression')
    return true
  if (node.type === 'ChainExpression') {
    const link = asNode(node['expression'])
    return link !== undefined && loggedAt(link, source) !== undefined
  }
  if (node.type === 'CallExpression') return loggedAt(node, source) !== undefined
  if (node.type === 'BlockStatement') return onlyDebugs(node, source)
  if (node.type === 'IfStatement') {
    const test = asNode(node['test'])
    const hasElse = asNode(node['alternate']) !== undefined
    return !hasElse && test !== undefined && !holdsCall(test) && onlyDebugs(asNode(node['consequent']), source)
  }
  if (node.type === 'NewExpression') {
    const callee = asNode(node['callee'])
    return callee !== undefined && /Error$/.test(source.slice(callee.start, callee.end))
  }
  if (node.type === 'Property') {
    const key = asNode(node['key'])
    return node['computed'] !== true && proseProperties.has(asText(key?.['name'] ?? key?.['value']))
  }
  return false
}

/** Matches metadata fields that the API server sets on every stored object. */
const alwaysThere = /\bmetadata\??\.(?:name|uid|creationTimestamp|resourceVersion)$/

/**
 * Returns whether a literal is the fallback in `metadata.name ??` or for similar fields. The fields are optional in the types, because an
 * object that has not been created lacks them, but every stored object has them. Only the fallback is exempt from mutation. The name itself
 * is still mutated.
 */
export const isUnreachableFallback = (literal: Node, parent: Node | undefined, source: string): boolean => {
  if (parent?.type !== 'LogicalExpression' || parent['operator'] !== '??') return false
  const [left, right] = [asNode(parent['left']), asNode(parent['right'])]
  if (left === undefined || right !== literal) return false
  return alwaysThere.test(source.slice(left.start, left.end))
}
