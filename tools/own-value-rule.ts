import { dirname, relative } from 'node:path'
import {
  type ElementAccessExpression,
  isBinaryExpression,
  isCallExpression,
  isComputedPropertyName,
  isDeleteExpression,
  isElementAccessExpression,
  isForInStatement,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isVariableDeclarationList,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { FileSystem } from 'typescript/unstable/fs'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'

const READ = 'a key from outside may be the name of a built-in property: read it with ownValue (@kerf/apis)'
const WRITE = 'a key from outside may be __proto__: set it with setOwnValue (@kerf/apis)'
const IN = 'a key from outside may be the name of a built-in property: ask Object.hasOwn'
const ASSIGN = 'Object.assign loses the key __proto__: spread the object into a new one'

/** The exempt files, each with the reason. */
const permitted: Readonly<Record<string, string>> = {
  'packages/apis/src/own-value.ts': 'the mechanism itself',
  'providers/oci/src/api/sdk-clients.ts': 'the key is the name of a service, which is written in the code',
  'providers/kit/src/failures/failure.ts':
    'what is thrown has fields from its class, by names that are written in the code',
}

/**
 * A place that reads or writes an object with a key. Places are found by their syntax. The type checker then decides whether the key can be
 * any text.
 */
interface Place {
  readonly node: Node
  /** The expression whose type is checked: the key, or, for Object.assign, the object whose keys are copied. */
  readonly decides: Node
  readonly problem: string
  readonly isCopy: boolean
}

const textOf = (node: Node, file: SourceFile): string => file.text.slice(node.getStart(file), node.end)

/**
 * Reports whether the key comes from a loop `for (const key in map)` around `map[key]`. Such a key comes from the map itself, not from
 * outside.
 */
const isKeyOfLoop = (access: ElementAccessExpression, file: SourceFile): boolean => {
  const [map, key] = [textOf(access.expression, file), textOf(access.argumentExpression, file)]
  for (let outer: Node = access.parent; outer !== file; outer = outer.parent) {
    if (!isForInStatement(outer) || !isVariableDeclarationList(outer.initializer)) continue
    const [variable] = outer.initializer.declarations
    if (variable !== undefined && textOf(variable.name, file) === key && textOf(outer.expression, file) === map)
      return true
  }
  return false
}

const isWritten = ({ parent }: ElementAccessExpression, access: Node): boolean =>
  isBinaryExpression(parent) &&
  parent.left === access &&
  parent.operatorToken.kind >= SyntaxKind.FirstAssignment &&
  parent.operatorToken.kind <= SyntaxKind.LastAssignment

const LITERALS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.PrivateIdentifier,
])

const BY_KEY = /^Reflect\.(?:get|has|set)$/

const nodePlaces = (node: Node, file: SourceFile): readonly Place[] => {
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression
    if (LITERALS.has(key.kind) || isDeleteExpression(node.parent) || isKeyOfLoop(node, file)) return []
    return [{ node, decides: key, problem: isWritten(node, node) ? WRITE : READ, isCopy: false }]
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return LITERALS.has(node.left.kind) ? [] : [{ node, decides: node.left, problem: IN, isCopy: false }]
  }
  if (isComputedPropertyName(node) && isObjectBindingPattern(node.parent.parent)) {
    return [{ node, decides: node.expression, problem: READ, isCopy: false }]
  }
  if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
    const called = textOf(node.expression, file)
    const [, key] = node.arguments
    // If a call has a receiver argument, it is in a proxy that forwards the access.
    const isForwarding = called !== 'Reflect.set' && node.arguments.length > 2
    if (BY_KEY.test(called) && key !== undefined && !LITERALS.has(key.kind) && !isForwarding)
      return [{ node, decides: key, problem: called.endsWith('set') ? WRITE : READ, isCopy: false }]
    if (called === 'Object.assign')
      return node.arguments.slice(1).map((copied) => ({ node, decides: copied, problem: ASSIGN, isCopy: true }))
  }
  return []
}

const isNumber = (type: Type): boolean => (type.flags & TypeFlags.NumberLike) !== 0

/** Reports whether all keys of the type are known when the code is written: numbers, symbols, a closed list of texts, or `keyof`. */
const isClosedKey = (type: Type): boolean => {
  if (type.isUnionType()) return (type.getTypes() ?? []).every(isClosedKey)
  // A number with a unit has the type `number & { … }`.
  if (type.isIntersectionType()) return (type.getTypes() ?? []).some(isNumber)
  const closed = TypeFlags.StringLiteral | TypeFlags.ESSymbolLike | TypeFlags.Index | TypeFlags.Never
  return isNumber(type) || (type.flags & closed) !== 0
}

const hasTextKeys = (type: Type, checker: Checker): boolean =>
  type.isUnionType()
    ? (type.getTypes() ?? []).some((each) => hasTextKeys(each, checker))
    : checker.getIndexInfosOfType(type).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0)

const fileProblems = (file: SourceFile, name: string, checker: Checker): readonly string[] => {
  const places: Place[] = []
  const visit = (node: Node): void => {
    places.push(...nodePlaces(node, file))
    node.forEachChild(visit)
  }
  visit(file)
  if (places.length === 0) return []
  const types = checker.getTypeAtLocation(places.map(({ decides }) => decides))
  return places.flatMap(({ node, decides, problem, isCopy }, index) => {
    const type = types[index]
    // A cast may claim a narrower type than the value really has.
    const isCast = decides.kind === SyntaxKind.AsExpression
    const isGood = type !== undefined && !isCast && (isCopy ? !hasTextKeys(type, checker) : isClosedKey(type))
    if (isGood) return []
    const start = node.getStart(file)
    return [`${name}:${file.text.slice(0, start).split('\n').length} ${textOf(node, file).split('\n')[0]}: ${problem}`]
  })
}

/**
 * Returns one line for each place that reads or writes an object with a key that can be any text, but does not use `ownValue` or
 * `setOwnValue`
 * (docs/decisions/0008-keys-from-outside.md). The compiler's types distinguish such keys from numbers and from closed lists of texts, so no
 * exceptions are needed for those.
 * @param config the compiler's configuration; names in the lines are relative to its folder
 * @param isChecked reports whether to check the file with this name
 * @throws if the compiler cannot read the configuration
 */
export const ownValueProblems = (
  config: string,
  isChecked: (name: string) => boolean,
  fs?: FileSystem,
): readonly string[] => {
  const root = dirname(config)
  const api = new API({ cwd: root, ...(fs === undefined ? {} : { fs }) })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`the compiler cannot read ${config}`)
    return project.program.getSourceFileNames().flatMap((path) => {
      const name = relative(root, path).replaceAll('\\', '/')
      if (name.startsWith('..') || Object.hasOwn(permitted, name) || !isChecked(name)) return []
      const file = project.program.getSourceFile(path)
      return file === undefined ? [] : fileProblems(file, name, project.checker)
    })
  } finally {
    api.close()
  }
}
