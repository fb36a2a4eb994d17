import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { ApiError } from '../kube-client/api-error.ts'
import { consoleSink } from './console-sink.ts'
import { createLogger, type LoggerOptions } from './create-logger.ts'
import { jsonSink } from './json-sink.ts'
import type { LogLevel } from './logger.ts'
import { StructuredLogger } from './structured-logger.ts'

const jsonLogger = (level: LogLevel = 'info') => {
  const lines: Record<string, unknown>[] = []
  const clock = new VirtualClock()
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
  const sink = jsonSink({ commit: '1a2b3c4', debug: level === 'debug', stream })
  return { clock, lines, logger: StructuredLogger.create({ clock, level, sink }) }
}

describe('JSON lines', () => {
  test('have upstream’s keys', () => {
    const { lines, logger } = jsonLogger()
    const log = logger.child('nodeclaim.lifecycle', { controller: 'nodeclaim.lifecycle' })
    log.info('launched nodeclaim', { NodeClaim: { name: 'default-x' }, zone: 'a', absent: undefined })
    expect(lines).toEqual([
      {
        level: 'INFO',
        time: '2026-01-01T00:00:00.000Z',
        logger: 'controller',
        component: 'nodeclaim.lifecycle',
        commit: '1a2b3c4',
        controller: 'nodeclaim.lifecycle',
        NodeClaim: { name: 'default-x' },
        zone: 'a',
        message: 'launched nodeclaim',
      },
    ])
  })

  test('show errors by message, causes and code, without stacks', () => {
    const { lines, logger } = jsonLogger()
    const cause = new ApiError({ code: 0, reason: 'Unreachable', message: 'connection refused' })
    logger.error('failed', { error: new Error('cannot launch', { cause }) })
    logger.error('failed', { error: runtimeErrors.LeaseLost({ lease: 'a/b' }) })
    expect(lines.map(({ error, errorCode }) => ({ error, errorCode }))).toEqual([
      { error: 'cannot launch: connection refused', errorCode: undefined },
      { error: expect.stringContaining('lost the lease a/b'), errorCode: 'LeaseLost' },
    ])
    expect(JSON.stringify(lines)).not.toContain('logging.test.ts')
  })

  test('show the caller and stacks at level debug', () => {
    const { lines, logger } = jsonLogger('debug')
    logger.debug('here', { error: new Error('x') })
    expect(lines[0]).toMatchObject({ level: 'DEBUG', errorStack: expect.stringContaining('logging.test.ts') })
  })

  test.each([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ] as const)('have the levels from %s on', (level, expected) => {
    const { lines, logger } = jsonLogger(level)
    logger.debug('a')
    logger.info('b')
    logger.warn('c')
    logger.error('d')
    expect(lines).toHaveLength(expected)
  })

  test('are sampled: a hundred equal lines per second, and then every hundredth', async () => {
    const { clock, lines, logger } = jsonLogger()
    for (let time = 0; time < 1_000; time++) logger.info('again')
    logger.info('another')
    expect(lines).toHaveLength(100 + 9 + 1)
    await clock.advance(1_000)
    logger.info('again')
    expect(lines).toHaveLength(111)
  })

  test('do not affect the caller if their sink fails', () => {
    const failures: unknown[] = []
    const sink = (): never => {
      throw new Error('disk full')
    }
    const onFailure = (error: unknown): unknown => failures.push(error)
    const logger = StructuredLogger.create({ clock: new VirtualClock(), level: 'info', sink, onFailure })
    expect(() => logger.info('hello')).not.toThrow()
    expect(failures).toHaveLength(1)
  })
})

test('lines for people have level, component, message and fields', () => {
  const lines: string[] = []
  const sink = consoleSink({ write: (line) => lines.push(line), colour: false, debug: false })
  const logger = StructuredLogger.create({ clock: new VirtualClock({ start: 45_296_000 }), level: 'info', sink })
  logger.info('became leader', { lease: 'a/b' })
  logger.child('provisioner', { controller: 'provisioner' }).error('could not schedule pod', {
    Pod: { name: 'cart' },
    error: new Error('no room'),
  })
  expect(lines.join('')).toMatchInlineSnapshot(`
    "12:34:56 INFO   became leader  lease=a/b
    12:34:56 ERROR  provisioner  could not schedule pod  Pod={"name":"cart"} error="no room"
    "
  `)
})

test('lines for people escape control characters of names, messages and values', () => {
  const lines: string[] = []
  const sink = consoleSink({ write: (line) => lines.push(line), colour: false, debug: false })
  const logger = StructuredLogger.create({ clock: new VirtualClock(), level: 'info', sink })
  logger.info('a\u001b[2Jb', { Pod: { name: '\u009b2J' }, node: 'x\u0007', error: 'y \u009bz' })
  expect(lines.join('').trimEnd()).toBe(
    String.raw`00:00:00 INFO   a\u001b[2Jb  Pod={"name":"\u009b2J"} node=x\u0007 error="y \u009bz"`,
  )
})

describe('the process’s logger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf log '))
  afterAll(() => rmSync(folder, { recursive: true }))
  const create = (options: Partial<LoggerOptions>) => {
    const shown: string[] = []
    const terminal = { isTTY: true, write: (text: string) => shown.push(text) }
    const clock = new VirtualClock()
    const logger = createLogger({ clock, level: '', paths: ['stdout'], format: 'auto', terminal, ...options })
    return { clock, logger, shown }
  }

  test('writes for people on a terminal, at level info by default', () => {
    const { logger, shown } = create({})
    logger.debug('quiet')
    logger.info('hello')
    expect(shown).toEqual(['00:00:00 INFO   hello\n'])
  })

  test('writes JSON into every given file, even on a terminal', () => {
    const files = ['a.log', 'b.log'].map((name) => join(folder, name))
    const { logger, shown } = create({ paths: files })
    logger.info('hello')
    for (const file of files) expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ message: 'hello' })
    expect(shown).toEqual([])
  })

  test.runIf(existsSync('/dev/full'))('writes to the other files if one disk is full', () => {
    const files = ['before.log', 'after.log'].map((name) => join(folder, name))
    const [before = '', after = ''] = files
    const { logger } = create({ paths: [before, '/dev/full', after], errorPaths: [join(folder, 'full.log')] })
    for (const message of ['one', 'two']) logger.info(message)
    for (const file of files) {
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).message)).toEqual(['one', 'two'])
    }
    expect(readFileSync(join(folder, 'full.log'), 'utf8')).toContain('ENOSPC')
  })

  test('refuses a file that it cannot open', () => {
    const path = join(folder, 'absent', 'a.log')
    expect(() => create({ paths: [path] })).toThrow(`cannot write the log ${path}`)
  })

  test('writes its own errors to their destination, once per minute', async () => {
    const errors = join(folder, 'errors.log')
    const write = (): never => {
      throw new Error('disk full')
    }
    const { clock, logger } = create({ format: 'console', terminal: { write }, errorPaths: [errors] })
    logger.info('one')
    logger.info('two')
    await clock.advance(60_000)
    logger.info('three')
    expect(readFileSync(errors, 'utf8')).toBe('cannot write the log: disk full\n'.repeat(2))
  })
})
