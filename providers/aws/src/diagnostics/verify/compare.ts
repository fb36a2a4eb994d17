import { ownValue } from '@kerf/apis'
import { mergedShapes, type Shape } from './shape.ts'
import { codesIn, type TranscribedCall } from './transcript.ts'

/** The differences between AWS and the fake for one operation. */
export interface OperationDifference {
  readonly operation: string
  /** Paths that only the fake returns. They must be checked, because the fake may hide an error. */
  readonly onlyFake: readonly string[]
  /** Paths that only AWS returns. The fake does not need them if Kerf does not read them. */
  readonly onlyAws: readonly string[]
  /** Paths for which AWS and the fake return different kinds of values. */
  readonly otherKinds: readonly string[]
  /** Error codes that only the fake returned, either as errors of calls or inside responses. */
  readonly codesOnlyFake: readonly string[]
  readonly codesOnlyAws: readonly string[]
}

export interface Comparison {
  readonly differences: readonly OperationDifference[]
  readonly compared: number
  /** Operations that only one of the transcripts contains. */
  readonly notInFake: readonly string[]
  readonly notInAws: readonly string[]
}

interface Said {
  readonly shape: Shape
  readonly codes: ReadonlySet<string>
}

/** Matches paths of tags. Tag keys differ between accounts, so they are not part of a shape. */
const FREE = /(?:^|\.)(?:tags)\./

const byOperation = (calls: readonly TranscribedCall[]): ReadonlyMap<string, Said> => {
  const all = new Map<string, Said>()
  for (const call of calls) {
    const { service, operation, shape = {} } = call
    const name = `${service}.${operation}`
    const known = all.get(name) ?? { shape: {}, codes: new Set() }
    all.set(name, {
      shape: mergedShapes(known.shape, shape),
      codes: new Set([...known.codes, ...codesIn(call)]),
    })
  }
  return all
}

const without = (a: Iterable<string>, b: ReadonlySet<string>): readonly string[] =>
  [...a].filter((each) => !b.has(each)).toSorted()
const comparedPaths = (shape: Shape): readonly string[] => Object.keys(shape).filter((path) => !FREE.test(path))

/** Compares a transcript of AWS with one of the fake, operation by operation. */
export const compareTranscripts = (
  ofAws: readonly TranscribedCall[],
  ofFake: readonly TranscribedCall[],
): Comparison => {
  const [aws, fake] = [byOperation(ofAws), byOperation(ofFake)]
  const both = [...aws].flatMap(([operation, real]) => {
    const played = fake.get(operation)
    return played === undefined ? [] : [{ operation, real, played }]
  })
  const differences = both.map(({ operation, real, played }): OperationDifference => {
    const [realPaths, fakePaths] = [comparedPaths(real.shape), comparedPaths(played.shape)]
    // If one side only returned errors for an operation, its responses cannot be compared.
    const isComparable = realPaths.length > 0 && fakePaths.length > 0
    return {
      operation,
      onlyFake: isComparable ? without(fakePaths, new Set(realPaths)) : [],
      onlyAws: isComparable ? without(realPaths, new Set(fakePaths)) : [],
      otherKinds: realPaths
        .filter((path) => ownValue(played.shape, path) !== undefined)
        .filter(
          (path) =>
            !(ownValue(played.shape, path) ?? []).every((kind) => ownValue(real.shape, path)?.includes(kind) === true),
        )
        .map(
          (path) =>
            `${path}: ${ownValue(real.shape, path)?.join(' or ')} of AWS, ${ownValue(played.shape, path)?.join(' or ')} of the fake`,
        ),
      codesOnlyFake: without(played.codes, real.codes),
      codesOnlyAws: without(real.codes, played.codes),
    }
  })
  return {
    differences: differences.filter(({ operation: _operation, ...rest }) =>
      Object.values(rest).some(({ length }) => length > 0),
    ),
    compared: both.length,
    notInFake: without(aws.keys(), new Set(fake.keys())),
    notInAws: without(fake.keys(), new Set(aws.keys())),
  }
}

/** Returns true if the fake returns something that AWS does not return. In that case, a test may pass although AWS would fail. */
export const isFakeWrong = ({ differences }: Comparison): boolean =>
  differences.some(
    ({ onlyFake, otherKinds, codesOnlyFake, codesOnlyAws }) =>
      onlyFake.length + otherKinds.length + codesOnlyFake.length + codesOnlyAws.length > 0,
  )

const part = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `  ${title}\n${items.map((item) => `    ${item}\n`).join('')}`

/** Returns the comparison as text for the user. The fake's mistakes come first. */
export const comparisonText = ({ differences, compared, notInFake, notInAws }: Comparison): string => {
  const operations = differences.map(
    (each) =>
      `${each.operation}\n` +
      part('only in the fake', each.onlyFake) +
      part('different types of values', each.otherKinds) +
      part('errors only in the fake', each.codesOnlyFake) +
      part('errors only in AWS', each.codesOnlyAws) +
      part('only in AWS', each.onlyAws),
  )
  const missing = [
    ...(notInFake.length === 0 ? [] : [`not called on the fake: ${notInFake.join(', ')}`]),
    ...(notInAws.length === 0 ? [] : [`not called on AWS: ${notInAws.join(', ')}`]),
  ]
  return [
    `${compared} operations compared, ${differences.length} differ`,
    ...missing,
    ...operations.map((text) => text.trimEnd()),
  ]
    .map((text) => `${text}\n`)
    .join('\n')
}
