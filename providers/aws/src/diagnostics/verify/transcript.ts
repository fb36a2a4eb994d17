import { ProblemError } from '@kerf/apis'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import type { Redaction } from './redaction.ts'
import { describeShape, type Shape } from './shape.ts'

/** One call to AWS, without account data. */
export interface TranscribedCall {
  readonly call: number
  /** The step of the verification in which the call was made. */
  readonly step: string
  readonly service: string
  readonly operation: string
  readonly input: unknown
  /** The output, with only the first items of a long list. `shape` covers all items. */
  readonly output?: unknown
  readonly items?: number
  readonly shape?: Shape
  readonly error?: { readonly code: string; readonly status?: number; readonly message: string }
}

/** The first line of a transcript. */
export interface TranscriptHead {
  readonly transcript: 'kerf aws verify'
  readonly format: 1
  readonly kerf: string
  readonly region: string
}

const SHOWN = 3

/** The result of a call. */
export type CallEnd = { readonly output: unknown } | { readonly error: unknown }

const transcribedError = (error: unknown, redaction: Redaction): NonNullable<TranscribedCall['error']> => {
  // Use the error code from the response, because the SDK renames some errors.
  const { code, message } = classifyAwsFailure(error)
  const status = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode
  return { code, ...(status === undefined ? {} : { status }), message: redaction.message(message) }
}

/** Parses price lists, which are JSON inside a string. */
const opened = (value: unknown): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item.startsWith('{'))
    ? value.map((item: string) => JSON.parse(item) as unknown)
    : value

/** Removes the metadata that the SDK adds about the request. */
const withoutMetadata = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('$metadata' in value)) return value
  const { $metadata: _metadata, ...rest } = value
  return rest
}

const errorCodes = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'ErrorCode' && typeof each === 'string' ? [each] : errorCodes(each),
  )
}

/**
 * Returns the error codes of a call: the code of the whole call, or the codes of entries in its response. For example, CreateFleet lists
 * failed launches in its response.
 */
export const codesIn = ({ output, error }: TranscribedCall): readonly string[] => [
  ...errorCodes(output),
  ...(error === undefined ? [] : [error.code]),
]

/**
 * Writes every completed call as a line of JSON, so that the transcript of an interrupted run contains all completed calls. Account data is
 * redacted.
 */
export class Transcript {
  readonly #write: (line: string) => void
  readonly #redaction: Redaction
  #calls = 0
  #step = 'start'
  /** The number of calls in the current step, by operation. */
  #made = new Map<string, number>()
  #codes = new Set<string>()

  constructor(head: TranscriptHead, redaction: Redaction, write: (line: string) => void) {
    this.#write = write
    this.#redaction = redaction
    write(`${JSON.stringify(head)}\n`)
  }

  get calls(): number {
    return this.#calls
  }

  step(name: string): void {
    this.#step = name
    this.#made = new Map()
    this.#codes = new Set()
  }

  /** The codes of the errors that AWS returned in this step, including codes inside responses. */
  get codes(): readonly string[] {
    return [...this.#codes]
  }

  /** Returns how many calls of an operation were completed in this step. */
  made(operation: string): number {
    return this.#made.get(operation) ?? 0
  }

  add(service: string, operation: string, input: unknown, end: CallEnd): void {
    this.#made.set(operation, this.made(operation) + 1)
    const call = {
      call: ++this.#calls,
      step: this.#step,
      service,
      operation,
      input: this.#redaction.value(input),
    }
    const ended = (): Partial<TranscribedCall> => {
      if ('error' in end) return { error: transcribedError(end.error, this.#redaction) }
      const output = opened(withoutMetadata(end.output))
      const shown = Array.isArray(output) ? output.slice(0, SHOWN) : output
      return {
        output: this.#redaction.value(shown),
        ...(Array.isArray(output) ? { items: output.length } : {}),
        shape: describeShape(output),
      }
    }
    const transcribed: TranscribedCall = { ...call, ...ended() }
    for (const code of codesIn(transcribed)) this.#codes.add(code)
    this.#write(`${JSON.stringify(transcribed)}\n`)
  }
}

/**
 * Reads a transcript.
 * @throws ProblemError that describes the first invalid line
 */
export const readTranscript = (
  text: string,
): { readonly head: TranscriptHead; readonly calls: readonly TranscribedCall[] } => {
  const lines = text.split('\n').filter((line) => line !== '')
  const parsed = lines.map((line, index): unknown => {
    try {
      return JSON.parse(line)
    } catch {
      throw new ProblemError(`line ${index + 1} is not JSON`)
    }
  })
  const head = parsed[0] as Partial<TranscriptHead> | undefined
  if (head?.transcript !== 'kerf aws verify' || head.format !== 1)
    throw new ProblemError('the first line is not the header of a transcript of kerf aws verify')
  return { head: head as TranscriptHead, calls: parsed.slice(1) as readonly TranscribedCall[] }
}
