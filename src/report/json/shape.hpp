#pragma once
// One description of a JSON object for everybody who needs it: the names, values and meanings of its fields are a table,
//
//   template <> struct Shape<Flow> {
//     static constexpr std::string_view kName = "Flow";
//     static constexpr std::tuple kFields{Field{"calls", &Flow::calls}, Field{"last", &Flow::last, "0: never"}};
//   };
//
// put(json, flow) writes the fields that the table has, and typescript.hpp makes the page's type of the same table. A
// field is added to the table and nowhere else. The type of a field is that of its value; an std::optional is left out
// where it has none.

#include <functional>
#include <optional>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "report/json/writer.hpp"

namespace trikal::report {

// Specialised for each type that is written as an object. Beside kName and kFields it may have kMeaning (a comment for
// the page's type), kOwnLine (each object begins a line) and kTuple (written as an array, without the names).
template <class T>
struct Shape;
// Specialised for each enumeration: kName, kAll (its values) and text(value).
template <class T>
struct Names;

// Get: a member, a function or a lambda without captures that takes the object.
template <class Get>
struct Field {
  std::string_view name;
  Get get;
  std::string_view meaning = {};
};
// The fields of another object, between those of this one.
template <class Get>
struct FieldsOf {
  Get get;
};

// A list whose rows are made while they are written, so that a long one is never held.
template <class T>
struct Rows {
  using Row = T;
  std::function<void(const std::function<void(const T&)>& row)> each;
};
// The same for an object whose names are data.
template <class T>
struct Keyed {
  using Entry = T;
  std::function<void(const std::function<void(std::string_view name, const T& value)>& entry)> each;
};

template <class T>
concept Described = requires { Shape<T>::kFields; };
template <class T>
concept Named = requires { Names<T>::kAll; };
template <class T>
concept Text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsTuple = requires { Shape<T>::kTuple; };

// What the getter of a field of T returns.
template <class T, class Get>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<const Get&, const T&>>;

template <class T>
void put(JsonWriter& json, const T& value);

template <class T, class Get>
void put_field(JsonWriter& json, const T& object, const Field<Get>& field) {
  const auto& value = std::invoke(field.get, object);
  if constexpr (kIsOptional<ValueOf<T, Get>>) {
    if (!value) return;
    json.key(field.name);
    put(json, *value);
  } else {
    if constexpr (!kIsTuple<T>) json.key(field.name);
    put(json, value);
  }
}

template <class T>
void put_fields(JsonWriter& json, const T& object);

template <class T, class Get>
void put_field(JsonWriter& json, const T& object, const FieldsOf<Get>& part) {
  put_fields(json, std::invoke(part.get, object));
}

template <class T>
void put_fields(JsonWriter& json, const T& object) {
  std::apply([&](const auto&... field) { (put_field(json, object, field), ...); }, Shape<T>::kFields);
}

template <class T>
void put_object(JsonWriter& json, const T& object) {
  if constexpr (requires { Shape<T>::kOwnLine; }) json.line();
  if constexpr (kIsTuple<T>) json.open_array();
  else json.open_object();
  put_fields(json, object);
  json.close();
}

template <class T>
void put_number(JsonWriter& json, T number) {
  if constexpr (std::is_same_v<T, bool>) json.value(number);
  else if constexpr (std::is_floating_point_v<T>) json.value(static_cast<double>(number));
  else if constexpr (std::is_signed_v<T>) json.value(static_cast<std::int64_t>(number));
  else json.value(static_cast<std::uint64_t>(number));
}

template <class T>
void put_list(JsonWriter& json, const T& list) {
  json.open_array();
  if constexpr (requires { typename T::Row; }) list.each([&](const typename T::Row& row) { put(json, row); });
  else
    for (const auto& one : list) put(json, one);
  json.close();
}

template <class T>
void put(JsonWriter& json, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    put_number(json, value);
  } else if constexpr (Text<T>) {
    json.value(std::string_view(value));
  } else if constexpr (Named<T>) {
    json.value(Names<T>::text(value));
  } else if constexpr (kIsVariant<T>) {
    std::visit([&](const auto& one) { put(json, one); }, value);
  } else if constexpr (Described<T>) {
    put_object(json, value);
  } else if constexpr (requires { typename T::Entry; }) {
    json.open_object();
    value.each([&](std::string_view name, const typename T::Entry& entry) {
      json.key(name);
      put(json, entry);
    });
    json.close();
  } else {
    put_list(json, value);
  }
}

}  // namespace trikal::report
