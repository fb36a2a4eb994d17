import { type Device, setOwnValue, tryParseQuantity } from '@kerf/apis'
import type { AttributeBinding, DynamicResources, ResourceSliceTemplate } from '@kerf/engine'

/** Methods that check values in an instance-type file. Each throws an error with the path of the field. */
export interface FieldReader {
  object(value: unknown, at: string): Readonly<Record<string, unknown>>
  array(value: unknown, at: string): readonly unknown[]
  text(value: unknown, at: string): string
  fail(at: string, problem: string): never
}

/**
 * Parses the field `dynamicResources` of an entry: `{resourceSliceTemplates: [{driver, pool: {name}, devices?, sharedCounters?}],
 * attributeBindings?: [{attribute, devices: [{driver, pool, device}]}]}`. Devices and counters have the format of a ResourceSlice.
 */
export const readDynamicResources = (value: unknown, at: string, reader: FieldReader): DynamicResources => {
  const fields = reader.object(value, at)
  const templates = reader
    .array(fields['resourceSliceTemplates'], `${at}.resourceSliceTemplates`)
    .map((each, index) => parseTemplate(each, `${at}.resourceSliceTemplates[${index}]`, reader))
  const bindings = fields['attributeBindings']
  return {
    resourceSliceTemplates: templates,
    ...(bindings === undefined
      ? {}
      : {
          attributeBindings: reader
            .array(bindings, `${at}.attributeBindings`)
            .map((each, index) => parseBinding(each, `${at}.attributeBindings[${index}]`, reader)),
        }),
  }
}

const parseTemplate = (value: unknown, at: string, reader: FieldReader): ResourceSliceTemplate => {
  const fields = reader.object(value, at)
  const { devices, sharedCounters } = fields
  const names = new Set<string>()
  const listed = (devices === undefined ? [] : reader.array(devices, `${at}.devices`)).map((each, index): Device => {
    const device = parseDevice(each, `${at}.devices[${index}]`, reader)
    if (names.has(device.name)) reader.fail(`${at}.devices[${index}].name`, `${device.name} is defined twice`)
    names.add(device.name)
    return device
  })
  return {
    driver: reader.text(fields['driver'], `${at}.driver`),
    pool: { name: reader.text(reader.object(fields['pool'], `${at}.pool`)['name'], `${at}.pool.name`) },
    ...(devices === undefined ? {} : { devices: listed }),
    ...(sharedCounters === undefined
      ? {}
      : {
          sharedCounters: reader.array(sharedCounters, `${at}.sharedCounters`).map((each, index) => {
            const set = reader.object(each, `${at}.sharedCounters[${index}]`)
            const counters = parseAmounts(set['counters'], `${at}.sharedCounters[${index}].counters`, reader)
            return { name: reader.text(set['name'], `${at}.sharedCounters[${index}].name`), counters }
          }),
        }),
  }
}

/** Parses `{name: {value, …}}`. Each value must be a quantity. */
const parseAmounts = (
  value: unknown,
  at: string,
  reader: FieldReader,
): Readonly<Record<string, { readonly value: string | number }>> => {
  const amounts: Record<string, { readonly value: string | number }> = {}
  for (const [name, each] of Object.entries(reader.object(value, at))) {
    const fields = reader.object(each, `${at}.${name}`)
    const amount = fields['value']
    if ((typeof amount !== 'string' && typeof amount !== 'number') || tryParseQuantity(amount) === undefined) {
      reader.fail(`${at}.${name}.value`, `${JSON.stringify(amount)} is not a quantity`)
    }
    setOwnValue(amounts, name, { ...fields, value: amount })
  }
  return amounts
}

const parseDevice = (value: unknown, at: string, reader: FieldReader): Device => {
  const { capacity, attributes, consumesCounters, ...fields } = reader.object(value, at)
  return {
    ...fields,
    name: reader.text(fields['name'], `${at}.name`),
    ...(capacity === undefined ? {} : { capacity: parseAmounts(capacity, `${at}.capacity`, reader) }),
    ...(attributes === undefined
      ? {}
      : {
          attributes: Object.fromEntries(
            Object.entries(reader.object(attributes, `${at}.attributes`)).map(([name, each]) => [
              name,
              reader.object(each, `${at}.attributes.${name}`),
            ]),
          ),
        }),
    ...(consumesCounters === undefined
      ? {}
      : {
          consumesCounters: reader.array(consumesCounters, `${at}.consumesCounters`).map((each, index) => {
            const place = `${at}.consumesCounters[${index}]`
            const use = reader.object(each, place)
            return {
              counterSet: reader.text(use['counterSet'], `${place}.counterSet`),
              counters: parseAmounts(use['counters'], `${place}.counters`, reader),
            }
          }),
        }),
  }
}

const parseBinding = (value: unknown, at: string, reader: FieldReader): AttributeBinding => {
  const fields = reader.object(value, at)
  return {
    attribute: reader.text(fields['attribute'], `${at}.attribute`),
    devices: reader.array(fields['devices'], `${at}.devices`).map((each, index) => {
      const device = reader.object(each, `${at}.devices[${index}]`)
      return {
        driver: reader.text(device['driver'], `${at}.devices[${index}].driver`),
        pool: reader.text(device['pool'], `${at}.devices[${index}].pool`),
        device: reader.text(device['device'], `${at}.devices[${index}].device`),
      }
    }),
  }
}
