import { describe, expect, test } from 'vitest'
import { runProgram } from './run-program.ts'
import { type StartedProgram, startProgram } from './start-program.ts'

const node = (script: string, input?: string): StartedProgram =>
  startProgram(process.execPath, ['-e', script], { env: {}, ...(input === undefined ? {} : { input }) })

describe('a started program', () => {
  test('returns its exit code and its output on each stream', async () => {
    const program = node('console.log("out"); console.error("err"); process.exitCode = 3')
    expect(await program.ended).toEqual({ code: 3, signal: null, stdout: 'out\n', stderr: 'err\n' })
    expect(program.output.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(program.hasEnded).toBe(true)
  })

  test('can be awaited by its output, even if it has already printed it', async () => {
    const program = node('console.error("port=17"); setInterval(() => {}, 1_000)')
    expect(await program.printed(/port=(\d+)/)).toBe('17')
    expect(await program.printed(/port/)).toBe('port')
    expect(program.hasEnded).toBe(false)
    program.child.kill('SIGKILL')
    expect(await program.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  test('is reported with its output if it ends without the expected output', async () => {
    await expect(node('console.log("no port is free")').printed(/port=(\d+)/)).rejects.toThrow(
      'ended (0): no port is free',
    )
  })

  test('may read its input, but does not have to', async () => {
    const copy = 'process.stdin.pipe(process.stdout)'
    expect((await node(copy, 'given').ended).stdout).toBe('given')
    expect((await node(copy).ended).stdout).toBe('')
    expect((await node('', 'x'.repeat(1_000_000)).ended).code).toBe(0)
  })

  test('rejects every wait if it does not exist', async () => {
    await expect(runProgram('/no/such/program', [], {})).rejects.toThrow('ENOENT')
    await expect(startProgram('/no/such/program', [], { env: {} }).printed(/x/)).rejects.toThrow('ENOENT')
  })
})
