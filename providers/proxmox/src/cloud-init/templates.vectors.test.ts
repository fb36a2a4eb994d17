import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { executeTemplate } from '../go-template/evaluator.ts'
import { GoStruct } from '../go-template/go-value.ts'
import { parseTemplate } from '../go-template/parser.ts'
import { TemplateError } from '../go-template/template-error.ts'
import { templateFunctions } from './template-functions.ts'

/** A template, and the recorded output of Go's text/template with upstream's functions (373cfeb) for the data below. */
interface Vector {
  readonly template: string
  readonly output?: string
  readonly fails?: true
  /** If true, Kerf's output differs in white space, but is the same YAML. */
  readonly isYaml?: true
}

const vectors: readonly Vector[] = readFileSync(new URL('templates.vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const iface = (Name: string, MTU: number, DHCPv4: boolean, Address4: readonly string[]) =>
  new GoStruct({ Name, MTU, DHCPv4, Address4 }, { Name: 'name', MTU: 'mtu', DHCPv4: 'dhcp4', Address4: 'addresses4' })

const data = new GoStruct(
  {
    Metadata: new GoStruct({ Hostname: 'node-1', Tags: ['web', 'y'] }),
    Interfaces: [iface('eth0', 1500, true, []), iface('eth1', 0, false, ['10.0.0.5/24'])],
    ...{ CPU: 4, Quota: undefined },
    Values: new Map(Object.entries({ b: 'two', a: 'one', n: '3', yes: 'y', lines: 'x\ny\n' })),
    Reserved: new Map(Object.entries({ memory: '384Mi', cpu: '50m' })),
  },
  { CPU: 'cpu', Quota: 'cpuCFSQuota', Reserved: 'reserved' },
)

const execute = (template: string): string =>
  executeTemplate(parseTemplate(template, templateFunctions.names), templateFunctions, data)

test.each(vectors)('$template', ({ template, output = '', fails, isYaml }) => {
  if (fails === true) expect(() => execute(template)).toThrow(TemplateError)
  else if (isYaml === true) expect(parse(execute(template))).toEqual(parse(output))
  else expect(execute(template)).toBe(output)
})

test('an error contains its line number, and a template that calls itself ends', () => {
  expect(() => execute('a\nb\n{{ .Nope }}')).toThrow('line 3: a struct has no field Nope')
  expect(() => execute('{{ define "t" }}{{ template "t" . }}{{ end }}{{ template "t" . }}')).toThrow('without end')
})
