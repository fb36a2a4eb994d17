import { styleText } from 'node:util'
import { type LogRecord, plainFields } from './log-record.ts'
import type { LogLevel } from './logger.ts'
import type { LogSink } from './structured-logger.ts'

const COLOURS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const satisfies Record<
  LogLevel,
  string
>

const valueText = (value: unknown): string => {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return visible(value)
  return visible(JSON.stringify(value) ?? String(value))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Returns the text with control characters replaced by escapes such as `\u001b`, so that they cannot affect the terminal. JSON
 * does not escape the characters from 0x7f on.
 */
const visible = (text: string): string =>
  text.replaceAll(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Formats human-readable lines, for example `12:03:04 INFO  provisioner  created nodeclaim  NodePool=default`. */
export const consoleSink =
  (options: { readonly write: (line: string) => void; readonly colour: boolean; readonly debug: boolean }): LogSink =>
  (record: LogRecord) => {
    const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
      options.colour ? styleText(style, text, { validateStream: false }) : text
    const time = new Date(record.time).toISOString().slice(11, 19)
    const level = record.level.toUpperCase().padEnd(5)
    const fields = Object.entries(plainFields(record.fields, options.debug))
      .filter(([name, value]) => !(name === 'controller' && value === record.component))
      .map(([name, value]) => `${paint('dim', `${name}=`)}${valueText(value)}`)
    const head = `${paint('dim', time)} ${paint(COLOURS[record.level], level)}`
    const parts = [head, record.component && paint('cyan', record.component), visible(record.message), fields.join(' ')]
    options.write(`${parts.filter((part) => part !== '').join('  ')}\n`)
  }
