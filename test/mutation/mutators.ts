import { parseSync } from 'vite'
import { isNoBehaviour, isUnreachableFallback } from './no-behaviour.ts'
import { isNode, type Node, nodeOf, nodesOf, textOf } from './nodes.ts'

/** One small change of a source file: the characters from `start` to `end` become `replacement`. */
export interface Mutant {
  readonly mutator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** `block` replaces a whole `{ … }`; everything else is an expression. */
  readonly kind: 'expression' | 'block'
  /** The nearest function or method with a name, `(module)` outside of all. */
  readonly owner: string
  /** Counted from 1. */
  readonly line: number
}

/** Each operator with what stands in its place; the list is Stryker's. */
const operators: Readonly<Record<string, readonly (readonly [mutator: string, operator: string])[]>> = {
  '<': [
    ['boundary', '<='],
    ['negation', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['negation', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['negation', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['negation', '<'],
  ],
  '===': [['equality', '!==']],
  '!==': [['equality', '===']],
  '==': [['equality', '!=']],
  '!=': [['equality', '==']],
  '+': [['arithmetic', '-']],
  '-': [['arithmetic', '+']],
  '*': [['arithmetic', '/']],
  '/': [['arithmetic', '*']],
  '%': [['arithmetic', '*']],
  '&&': [['logical', '||']],
  '||': [['logical', '&&']],
  '??': [['coalescing', '&&']],
}

const methods: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  find: 'findLast',
  findLast: 'find',
}

/** Called on something, these can be left out and the types still hold. */
const dropped: ReadonlySet<string> = new Set(['filter', 'toSorted', 'sort', 'toReversed', 'reverse', 'trim', 'slice'])

const bordered: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!=='])

/**
 * What stands in place of a number: its neighbours; for one of 100 and more its double and its half. A duration, a size
 * or a bucket that is off by one in a hundred is seen by nobody, and one that is off by two by everybody. A number below
 * 1,000 that is compared with (the 400 of `status >= 400`) has its neighbours all the same.
 */
const otherNumbers = (value: number, parent: Node | undefined): readonly number[] => {
  const isBorder = parent?.type === 'BinaryExpression' && bordered.has(textOf(parent['operator']))
  return value < (isBorder ? 1_000 : 100) ? [value + 1, value - 1] : [value * 2, Math.floor(value / 2)]
}

/** Whether the function says by its return type that it answers a boolean, or a promise of one. */
const isBooleanFunction = (node: Node | undefined): boolean => {
  const type = nodeOf(nodeOf(node?.['returnType'])?.['typeAnnotation'])
  if (type?.type === 'TSBooleanKeyword' || type?.type === 'TSTypePredicate') return true
  if (type?.type !== 'TSTypeReference' || nodeOf(type['typeName'])?.['name'] !== 'Promise') return false
  const [awaited] = nodesOf(nodeOf(type['typeArguments'])?.['params'])
  return awaited?.type === 'TSBooleanKeyword'
}

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

const holdsStatements: ReadonlySet<string> = new Set(['Program', 'BlockStatement', 'SwitchCase', 'StaticBlock'])
/** The links of an optional chain, and where the next one stands. */
const links: ReadonlySet<string> = new Set(['CallExpression', 'MemberExpression', 'TSNonNullExpression'])
const onward: ReadonlySet<string> = new Set(['callee', 'object', 'expression'])

/** Wrapping these in parentheses would change what they are: a target, a callee, a link of an optional chain. */
const childrenLeftAlone = (node: Node): ReadonlySet<string> => {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return new Set(['left'])
    case 'UpdateExpression':
      return new Set(['argument'])
    case 'TaggedTemplateExpression':
      return new Set(['quasi', 'tag'])
    default:
      return new Set()
  }
}

/** Where a node stands. */
interface Scope {
  readonly owner: string
  /** The nearest function, with a name or without. */
  readonly inside: Node | undefined
}

export interface Mutable {
  /** In the order of the text. */
  readonly mutants: readonly Mutant[]
  /** Where expression statements begin that stand on their own in a block. */
  readonly statements: ReadonlySet<number>
}

/** All mutants of a TypeScript file. */
export const mutantsOf = (path: string, source: string): Mutable => {
  const { program, errors } = parseSync(path, source, { lang: 'ts', preserveParens: false })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`)
  const found: Mutant[] = []
  const statements = new Set<number>()
  const constructorBodies = new Set<Node>()
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (offset: number): number => lineStarts.findLastIndex((start) => start <= offset) + 1
  const text = (node: Node): string => source.slice(node.start, node.end)

  // `chain` is the optional chain that `node` is a link of: only the chain as a whole can be replaced.
  const visit = (node: Node, scope: Scope, parent: Node | undefined, chain: Node | undefined): void => {
    const { owner } = scope
    if (isNoBehaviour(node, source)) return
    if (node.type === 'ExpressionStatement' && holdsStatements.has(parent?.type ?? '')) statements.add(node.start)
    if (node.type === 'MethodDefinition' && node['kind'] === 'constructor') {
      const body = nodeOf(nodeOf(node['value'])?.['body'])
      if (body !== undefined) constructorBodies.add(body)
    }
    const add = (mutator: string, changed: string, kind: Mutant['kind'] = 'expression', at: Node = node): void => {
      if (changed === text(at)) return
      const whole = chain ?? at
      const replacement = source.slice(whole.start, at.start) + changed + source.slice(at.end, whole.end)
      const line = lineOf(at.start)
      found.push({ mutator, start: whole.start, end: whole.end, replacement, kind, owner, line })
    }
    mutate(node, parent, scope.inside, add)
    const inner = functionTypes.has(node.type) ? { owner: nameOf(node, parent) ?? owner, inside: node } : scope
    const alone = childrenLeftAlone(node)
    for (const [name, value] of Object.entries(node)) {
      if (name === 'type' || alone.has(name)) continue
      if (name === 'source' && node.type === 'ExportNamedDeclaration') continue
      if ((name === 'key' || name === 'property') && node['computed'] !== true) continue
      const link = isNode(value) && links.has(value.type) && onward.has(name)
      const outer = node.type === 'ChainExpression' ? node : chain
      if (isNode(value)) visit(value, inner, node, link ? outer : undefined)
      else for (const each of nodesOf(value)) visit(each, inner, node, undefined)
    }
  }

  const nameOf = (node: Node, parent: Node | undefined): string | undefined => {
    const own = nodeOf(node['id'])
    if (own !== undefined) return text(own)
    if (parent?.type === 'VariableDeclarator') return text(nodeOf(parent['id']) ?? parent)
    const key = nodeOf(parent?.['key'])
    return key === undefined ? undefined : text(key)
  }

  type Add = (mutator: string, replacement: string, kind?: Mutant['kind'], at?: Node) => void

  const mutate = (node: Node, parent: Node | undefined, inside: Node | undefined, add: Add): void => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const left = nodeOf(node['left'])
        const right = nodeOf(node['right'])
        if (left === undefined || right === undefined) return
        const isText = [left, right].some(
          (side) => side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side['value'] === 'string'),
        )
        const operator = textOf(node['operator'])
        if (operator === '+' && isText) return
        for (const [mutator, other] of operators[operator] ?? [])
          add(mutator, `(${text(left)}) ${other} (${text(right)})`)
        return
      }
      case 'UnaryExpression': {
        const argument = nodeOf(node['argument'])
        if (argument === undefined) return
        if (node['operator'] === '!') add('negation', text(argument))
        if (node['operator'] === '-' && argument.type !== 'Literal') add('arithmetic', text(argument))
        return
      }
      case 'Literal': {
        const value = node['value']
        if (isUnreachableFallback(node, parent, source)) return
        if (typeof value === 'boolean') add('boolean', String(!value))
        if (typeof value === 'number') {
          for (const other of otherNumbers(value, parent)) add('number', String(other))
        }
        if (typeof value === 'string' && parent?.type !== 'ExpressionStatement')
          add('string', value === '' ? "'mutated'" : "''")
        return
      }
      case 'TemplateLiteral':
        add('string', "''")
        return
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = nodeOf(node['test'])
        if (test === undefined) return
        add('condition', 'true', 'expression', test)
        // Also what takes an early return away.
        add('condition', 'false', 'expression', test)
        return
      }
      case 'ReturnStatement': {
        const argument = nodeOf(node['argument'])
        if (argument === undefined || argument.type === 'Identifier') return
        // Where the type says boolean, nothing returned is false: the same to every condition, and the compiler takes it.
        add('return', isBooleanFunction(inside) ? 'false' : 'undefined', 'expression', argument)
        return
      }
      case 'BlockStatement': {
        // A constructor must call its parent's; a try without its block is no block.
        const mustStay = constructorBodies.has(node) || parent?.type === 'TryStatement'
        if (nodesOf(node['body']).length > 0 && !mustStay) add('block', '{}', 'block')
        return
      }
      case 'ArrayExpression':
        if (nodesOf(node['elements']).length > 0) add('array', '[]')
        return
      case 'ChainExpression': {
        for (const link of optionalLinks(node)) {
          const at = source.indexOf('?.', link.end)
          if (at === -1 || at >= node.end) continue
          const after = source[at + 2] === '(' || source[at + 2] === '[' ? '' : '.'
          add('chaining', source.slice(node.start, at) + after + source.slice(at + 2, node.end))
        }
        return
      }
      case 'CallExpression': {
        const callee = nodeOf(node['callee'])
        if (callee?.type !== 'MemberExpression' || callee['computed'] === true) return
        const object = nodeOf(callee['object'])
        const property = nodeOf(callee['property'])
        if (object === undefined || property === undefined || object.type === 'Super') return
        const name = text(property)
        const other = Object.hasOwn(methods, name) ? methods[name] : undefined
        if (other !== undefined)
          add('method', source.slice(node.start, property.start) + other + source.slice(property.end, node.end))
        if (dropped.has(name) && callee['optional'] !== true) add('method', text(object))
        return
      }
    }
  }

  visit(program as unknown as Node, { owner: '(module)', inside: undefined }, undefined, undefined)
  return { mutants: found.sort((one, other) => one.start - other.start || other.end - one.end), statements }
}

/** What stands before each `?.` of a chain. */
const optionalLinks = (chain: Node): readonly Node[] => {
  const links: Node[] = []
  let node = nodeOf(chain['expression'])
  while (node !== undefined) {
    const next = nodeOf(node[node.type === 'CallExpression' ? 'callee' : 'object'] ?? node['expression'])
    if (node['optional'] === true && next !== undefined) links.push(next)
    node = next
  }
  return links
}
