import { parse } from 'yaml'

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '123456789012',
  'AWS::URLSuffix': 'amazonaws.com',
}

/**
 * Returns a CloudFormation template in which documents under `Fn::Sub` are objects instead of text. CloudFormation accepts both, but needs
 * text if a key contains a placeholder. The emulator accepts only objects.
 */
export const withDocumentsAsObjects = (text: string): string => {
  const template = parse(text) as { Parameters?: Record<string, { Default?: string }> }
  const values = new Map(Object.entries(PLACEHOLDERS))
  for (const [name, { Default = '' }] of Object.entries(template.Parameters ?? {})) values.set(name, Default)
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [only] = entries
    if (entries.length === 1 && only?.[0] === 'Fn::Sub' && typeof only[1] === 'string' && only[1].startsWith('{\n'))
      return JSON.parse(only[1].replaceAll(/\$\{([\w:]+)\}/g, (whole, name: string) => values.get(name) ?? whole))
    return Object.fromEntries(entries.map(([key, inner]) => [key, resolved(inner)]))
  }
  return JSON.stringify(resolved(template))
}
