import { parseSync } from 'vite'

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

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const nodeOf = (value: unknown): Node | undefined => (isNode(value) ? value : undefined)
const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

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

/** Objects and functions whose calls only tell people something. */
const tellsPeople = /^(?:this\.)?#?(?:log|logger|logs|console)$|Log(?:ger)?$/
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

/** Types, and what is text for people only, are no behaviour: nothing below such a node is mutated. */
const isNoBehaviour = (node: Node, source: string): boolean => {
  if (/^TS/.test(node.type) && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return true
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || node.type === 'ImportExpression')
    return true
  if (node.type === 'CallExpression') {
    const callee = nodeOf(node['callee'])
    const target = callee?.type === 'MemberExpression' ? nodeOf(callee['object']) : callee
    return target !== undefined && tellsPeople.test(source.slice(target.start, target.end))
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
  const visit = (node: Node, owner: string, parent: Node | undefined, chain: Node | undefined): void => {
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
    mutate(node, parent, add)
    const inner = functionTypes.has(node.type) ? (nameOf(node, parent) ?? owner) : owner
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

  const mutate = (node: Node, parent: Node | undefined, add: Add): void => {
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
        if (typeof value === 'boolean') add('boolean', String(!value))
        if (typeof value === 'number') {
          add('number', String(value + 1))
          add('number', String(value - 1))
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
        if (argument !== undefined && argument.type !== 'Identifier') add('return', 'undefined', 'expression', argument)
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

  visit(program as unknown as Node, '(module)', undefined, undefined)
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
