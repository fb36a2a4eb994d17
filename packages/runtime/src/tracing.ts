import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'
import { textOfThrown } from './errors/text-of-thrown.ts'

const tracer = trace.getTracer('kerf')

/**
 * Runs `work` inside a span. Costs almost nothing until an OpenTelemetry SDK is registered at start-up. A thrown error
 * is recorded on the span and rethrown.
 */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: textOfThrown(error) })
      throw error
    } finally {
      span.end()
    }
  })
