import { open, rename, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { CliError } from '@kerf/provider-kit/command-line'
import type { Trace } from '../simulate/trace.ts'

const LINES_AT_ONCE = 2_000

/** Returns the recording as JSON with one object or event per line, so that people can read, search and edit it. */
export function* recordingLines({ recording, objects = [], events = [] }: Trace): Generator<string> {
  yield `{"recording": ${JSON.stringify(recording)},\n"objects": [`
  for (const [index, object] of objects.entries()) yield `${index === 0 ? '' : ','}\n${JSON.stringify(object)}`
  yield '\n],\n"events": ['
  for (const [index, event] of events.entries()) yield `${index === 0 ? '' : ','}\n${JSON.stringify(event)}`
  yield '\n]}\n'
}

/**
 * Writes the recording to a temporary file, which then replaces the file. If the process is killed, the previous recording remains. The
 * file is gzipped if its name ends with `.gz`. Returns the number of bytes.
 */
export const writeRecording = async (path: string, trace: Trace): Promise<number> => {
  const beside = `${path}.part`
  try {
    const bytes = await writeLines(beside, trace, path.endsWith('.gz'))
    await rename(beside, path)
    return bytes
  } catch (error) {
    await rm(beside, { force: true })
    throw new CliError(`${path}: cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const writeLines = async (path: string, trace: Trace, zipped: boolean): Promise<number> => {
  const file = await open(path, 'w', 0o600)
  let bytes = 0
  try {
    let lines: string[] = []
    const flush = async (): Promise<void> => {
      const text = Buffer.from(lines.join(''))
      lines = []
      // A gzip file may have several members. Each flush writes one.
      const data = zipped ? gzipSync(text) : text
      bytes += data.length
      await file.writeFile(data)
    }
    for (const line of recordingLines(trace)) {
      lines.push(line)
      if (lines.length >= LINES_AT_ONCE) await flush()
    }
    await flush()
    return bytes
  } finally {
    await file.close()
  }
}
